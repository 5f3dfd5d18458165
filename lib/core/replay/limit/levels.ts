/** The sets of results that the moves of a window can have masked: each has the one before it and more. */
import { addToGroup } from '../../conversation/add-to-group'
import { partitionPoint } from '../../text/span'
import type { Masking, PreparedReplay } from '../prepare-replay'
import type { Tokens } from '../prompt-cache'
import { type SessionRequest, unitEndsOf } from '../sessions'

export const NEVER = Number.POSITIVE_INFINITY

/** A result that a move can mask. */
export interface Item extends Pick<Masking, 'result' | 'turn' | 'from' | 'by' | 'savedTokens'> {
  readonly message: number
  /** The first request that a move can mask it in. */
  readonly eligible: number
  /** It is masked in this level and in higher ones. */
  readonly level: number
  /** The first request that it saves tokens in; the first one if no level has it before. */
  readonly countsFrom: number
  readonly clearedFrom: number
  readonly clearedTokens: Tokens
}

/** What is masked: the items of a level and those below, but for some that signed thinking came before. */
export interface Masked {
  readonly level: number
  readonly missed: readonly Item[]
}

export const NOTHING_MISSED: readonly Item[] = []

/** The first message that changes without a move: of what was sent before, and of the answer that is sent for the first time. */
interface OwnChanges {
  readonly changed: number
  readonly arrived: number
}

const NO_CHANGES: OwnChanges = { changed: NEVER, arrived: NEVER }

export type Levels = ReturnType<typeof createLevels>

/** The levels of a window whose masked results stay masked. `neededUntil` has the last request that needs a result. */
export function createLevels(
  prepared: PreparedReplay,
  windowTurns: number,
  neededUntil: ReadonlyMap<number, number>,
) {
  const { session, prefixTokens, clearings } = prepared
  const { requests, conversation } = session
  const items = itemsOf(prepared, windowTurns, neededUntil)
  const count = (items.at(-1)?.level ?? 0) + 1
  const messageOf = (result: number) => conversation.results[result]?.message as number
  const itemOf = new Map(items.map((item) => [item.result, item]))
  const hasDeadlines = items.some(({ by }) => by < requests.length - 1)
  const ends = requests.map(({ end }) => end)
  const endBefore = (request: number) => ends[request - 1] ?? 0
  const unitEnds = unitEndsOf(session)

  /** By request: what changes in it without a move, and in which levels. */
  const events = new Map<number, { message: number; isIn: (masked: Masked) => boolean }[]>()
  const addEvent = (from: number, message: number, isIn: (masked: Masked) => boolean) => {
    // What is sent for the first time changes nothing but a unit that has it as the model wrote it.
    if (message < (unitEnds[from - 1] ?? 0)) addToGroup(events, from, { message, isIn })
  }
  const isMasked = (item: Item, { level, missed }: Masked) =>
    item.level <= level && !missed.includes(item)
  for (const item of items) addEvent(item.from, item.message, (masked) => isMasked(item, masked))
  for (const { result, from } of clearings) {
    const item = itemOf.get(result)
    const isFirst = item === undefined || item.from > from
    addEvent(from, messageOf(result), (masked) => isFirst || !isMasked(item, masked))
  }

  /** By request: nothing before this message changes later without a move. By level: nor by one. */
  const steadyAfter = new Float64Array(requests.length).fill(NEVER)
  for (let at = requests.length - 1; at > 0; at--) {
    const messages = (events.get(at) ?? []).map(({ message }) => message)
    steadyAfter[at - 1] = Math.min(steadyAfter[at] as number, ...messages)
  }
  const lowestAbove = new Float64Array(count).fill(NEVER)
  const highestUpTo = new Float64Array(count).fill(-1)
  /** By level: the number of items up to it. */
  const itemsUpTo = new Int32Array(count)
  for (const { message, level } of items) {
    highestUpTo[level] = Math.max(highestUpTo[level] as number, message)
    lowestAbove[level - 1] = Math.min(lowestAbove[level - 1] as number, message)
    itemsUpTo[level] = (itemsUpTo[level] as number) + 1
  }
  for (let level = 1; level < count; level++) {
    const [up, down] = [level, count - 1 - level]
    highestUpTo[up] = Math.max(highestUpTo[up] as number, highestUpTo[up - 1] as number)
    itemsUpTo[up] = (itemsUpTo[up] as number) + (itemsUpTo[up - 1] as number)
    lowestAbove[down] = Math.min(lowestAbove[down] as number, lowestAbove[down + 1] as number)
  }

  let [request, sentBefore, sent, clearedTokens, summed] = [0, 0, 0, 0, -1]
  /** What masking an item saves in this request, beyond its clearing. */
  const savedBy = ({ countsFrom, savedTokens, clearedFrom, clearedTokens }: Item): Tokens => {
    if (request < countsFrom) return 0
    return request < clearedFrom ? savedTokens : savedTokens - clearedTokens
  }
  /** By item, and by level: its items and those below. */
  const savedNow = new Float64Array(items.length)
  const saved = new Float64Array(count)
  const sumSaved = () => {
    clearedTokens = clearedBefore(NEVER)
    let sum = 0
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as Item
      savedNow[at] = savedBy(item)
      sum += savedNow[at] as Tokens
      saved[item.level] = sum
    }
  }
  const clearedBefore = (end: number): Tokens =>
    clearings.reduce((sum, { result, from, savedTokens }) => {
      return from <= request && messageOf(result) < end ? sum + savedTokens : sum
    }, 0)
  const late = items.filter(({ countsFrom }) => countsFrom > 0)
  /** The requests in which the sums change. */
  const changes = [...late, ...clearings].map(({ from }) => from).sort((a, b) => a - b)
  const missedTokens = (missed: readonly Item[], end = NEVER): Tokens => {
    if (missed === NOTHING_MISSED) return 0
    return missed.reduce((sum, item) => (item.message < end ? sum + savedBy(item) : sum), 0)
  }
  const savedBefore = (level: number, end: number): Tokens => {
    if ((highestUpTo[level] as number) < end) return saved[level] as Tokens
    let sum = 0
    for (let at = 0; at < (itemsUpTo[level] as number); at++)
      if ((items[at] as Item).message < end) sum += savedNow[at] as Tokens
    return sum
  }
  const first = new Float64Array(count)

  /** By request: an upper bound of what it saves in messages that it sends for the first time. */
  const arriving = new Map<number, Tokens>()
  for (const { result, from, savedTokens } of [...late, ...clearings])
    if (messageOf(result) >= endBefore(from))
      arriving.set(from, (arriving.get(from) ?? 0) + Math.max(0, savedTokens))
  const since = new Int32Array(count)

  return {
    count,
    hasDeadlines,
    /** True if a message is before one that is masked in a level. */
    isBefore: (message: number, level: number) => message < (highestUpTo[level] as number),
    /** By level: the earliest request since which a way in it can be unchanged. */
    since: () => {
      let last = 0
      for (const { level, from, eligible, message } of items) {
        const start = Math.max(from, eligible)
        if (start < request && message < endBefore(start)) last = Math.max(last, start)
        since[level] = last
      }
      return since
    },
    /** An upper bound of the tokens of the request before, in a level. */
    mostBefore: (level: number): Tokens => {
      const before = (prefixTokens[sentBefore] as Tokens) - clearedTokens
      return before - (saved[level] as Tokens) + (arriving.get(request) ?? 0)
    },
    /** Nothing before this message changes later in a level, nor by moves from it. */
    steady: (level: number): number =>
      Math.min(lowestAbove[level] as number, steadyAfter[request] as number),
    /** Goes on to a request. Returns the levels that a move in it can lead to, ascending; 0 is no move. */
    enter: (next: number): number[] => {
      request = next
      sentBefore = endBefore(request)
      const changed = partitionPoint(0, changes.length, (at) => (changes[at] as number) <= request)
      if (changed !== summed) sumSaved()
      summed = changed
      sent = (prefixTokens[ends[request] as number] as Tokens) - clearedTokens
      const eligible = (at: number) => (items[at] as Item).eligible
      const allowed = partitionPoint(0, items.length, (at) => eligible(at) <= request)
      const targets = new Set<number>()
      let at = allowed
      while (at > 0 && eligible(at - 1) === request) targets.add((items[--at] as Item).level)
      // It can also stop before these, at a turn without items that it had not passed before.
      const passed = (requests[request - 1]?.turnCount ?? 0) - windowTurns
      if (at < allowed && (items[at] as Item).turn > passed) targets.add(items[at - 1]?.level ?? 0)
      return [...targets.add(items[allowed - 1]?.level ?? 0)].sort((a, b) => a - b)
    },
    /** The tokens of the request. */
    tokensOf: ({ level, missed }: Masked): Tokens =>
      sent - (saved[level] as Tokens) + missedTokens(missed),
    /** The tokens before a message. */
    tokensUpTo: ({ level, missed }: Masked, end: number): Tokens => {
      const cleared = clearedTokens === 0 ? 0 : clearedBefore(end)
      const before = (prefixTokens[end] as Tokens) - cleared
      return before - savedBefore(level, end) + missedTokens(missed, end)
    },
    /** By level below a target: the first message that a move to it changes, of those sent before. Valid until the next call. */
    firstChanges: (target: number): Float64Array => {
      let changed = NEVER
      for (let at = (itemsUpTo[target] as number) - 1; at >= 0; at--) {
        const { message, from, by, level } = items[at] as Item
        if (from <= request && request <= by && message < sentBefore && message < changed)
          changed = message
        first[level - 1] = changed
      }
      return first
    },
    /** What a move to a level misses. */
    missedAt: ({ level, missed }: Masked, target: number): readonly Item[] => {
      if (!hasDeadlines) return missed
      const isLate = (item: Item) => item.level > level && item.level <= target && item.by < request
      const late = items.filter(isLate)
      return late.length === 0 ? missed : [...missed, ...late]
    },
    ownChanges: (masked: Masked, at = request): OwnChanges => {
      const here = events.size === 0 ? undefined : events.get(at)
      if (here === undefined) return NO_CHANGES
      let [changed, arrived] = [NEVER, NEVER]
      for (const { message, isIn } of here) {
        if (!isIn(masked)) continue
        if (message >= endBefore(at)) arrived = Math.min(arrived, message)
        else changed = Math.min(changed, message)
      }
      return { changed, arrived }
    },
  }
}

/** In the order of their levels. */
function itemsOf(
  { session, maskings, clearings, firstTriggered }: PreparedReplay,
  windowTurns: number,
  neededUntil: ReadonlyMap<number, number>,
): Item[] {
  const { conversation, requests } = session
  const clearedOf = new Map(clearings.map((clearing) => [clearing.result, clearing]))
  const turnsBefore = (request: number) =>
    (requests[request] as SessionRequest).turnCount - windowTurns
  const found = maskings.flatMap(({ result, turn, from, until, by, savedTokens }) => {
    const passed = partitionPoint(firstTriggered, requests.length, (at) => turnsBefore(at) <= turn)
    const eligible = Math.max(passed, (neededUntil.get(result) ?? -1) + 1)
    // One that ends before has ended before the window passes it.
    if (until < requests.length || eligible > by) return []
    const message = conversation.results[result]?.message as number
    const countsFrom = from > eligible ? from : 0
    const { from: clearedFrom = NEVER, savedTokens: clearedTokens = 0 } =
      clearedOf.get(result) ?? {}
    const known = { result, turn, from, by, savedTokens, message, eligible }
    return [{ ...known, countsFrom, clearedFrom, clearedTokens }]
  })
  found.sort((a, b) => a.eligible - b.eligible || a.turn - b.turn || a.message - b.message)
  let level = 0
  return found.map((item, at) => {
    const before = found[at - 1]
    if (item.eligible !== before?.eligible || item.turn !== before.turn) level++
    return { ...item, level }
  })
}
