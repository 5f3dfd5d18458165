/** The sets of results that the moves of a window can have masked: each has the one before it and more. */
import { partitionPoint } from '../../text/span'
import type { Masking, PreparedReplay } from '../prepare-replay'
import { createPrefixSums } from '../request-pass'
import { type SessionRequest, unitEndsOf } from '../sessions'
import type { Tokens } from '../units'

export const NEVER = Number.POSITIVE_INFINITY

/** A result that a move can mask. */
export interface Item extends Pick<Masking, 'result' | 'turn' | 'from' | 'by' | 'savedTokens'> {
  readonly message: number
  /** The first request that a move can mask it in. */
  readonly eligible: number
  /** It is masked in this level and in higher ones. */
  readonly level: number
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
  const clearedOf = new Map(clearings.map((clearing) => [clearing.result, clearing]))
  const itemOf = new Map(items.map((item) => [item.result, item]))
  const hasDeadlines = items.some(({ by }) => by < requests.length - 1)
  const ends = requests.map(({ end }) => end)
  const unitEnds = unitEndsOf(session)

  /** By request: what changes in it without a move, and in which levels. */
  const events = new Map<number, { message: number; isIn: (masked: Masked) => boolean }[]>()
  const addEvent = (from: number, message: number, isIn: (masked: Masked) => boolean) => {
    // What is sent for the first time changes nothing but a unit that has it as the model wrote it.
    if (message >= (unitEnds[from - 1] ?? 0)) return
    events.set(from, [...(events.get(from) ?? []), { message, isIn }])
  }
  const isMasked = (item: Item, { level, missed }: Masked) =>
    item.level <= level && !missed.includes(item)
  for (const item of items) addEvent(item.from, item.message, (masked) => isMasked(item, masked))
  for (const { result, from } of clearings) {
    const item = itemOf.get(result)
    const isFirst = item === undefined || item.from > from
    addEvent(from, messageOf(result), (masked) => isFirst || !isMasked(item, masked))
  }

  /** By level: nothing before this message changes later. */
  const steady = new Float64Array(count).fill(
    Math.min(NEVER, ...clearings.map(({ result }) => messageOf(result))),
  )
  for (const { message, level, from, eligible } of items) {
    const below = from > eligible ? count : level
    for (let at = 0; at < below; at++) steady[at] = Math.min(steady[at] as number, message)
  }

  const saved = new Float64Array(count)
  const sums = createPrefixSums(conversation.messages.length)
  let [request, sentBefore, allowed, summed, clearedTokens] = [0, 0, 0, 0, 0]
  /** What masking an item saves in this request, beyond its clearing. */
  const savedBy = ({ result, savedTokens, from }: Item): Tokens => {
    if (from > request) return 0
    const cleared = clearings.length === 0 ? undefined : clearedOf.get(result)
    return cleared && cleared.from <= request ? savedTokens - cleared.savedTokens : savedTokens
  }
  const missedTokens = (missed: readonly Item[], end = NEVER): Tokens => {
    if (missed === NOTHING_MISSED) return 0
    return missed.reduce((sum, item) => (item.message < end ? sum + savedBy(item) : sum), 0)
  }

  return {
    count,
    steady,
    /** Goes on to a request. Returns the levels that a move in it can lead to, ascending. */
    enter: (next: number): number[] => {
      request = next
      sentBefore = ends[request - 1] ?? 0
      sums.clear()
      ;[summed, clearedTokens] = [0, 0]
      for (const { result, from, savedTokens } of clearings) {
        if (from > request) continue
        clearedTokens += savedTokens
        sums.add(messageOf(result), savedTokens)
      }
      saved.fill(0)
      for (const item of items) saved[item.level] = (saved[item.level] as Tokens) + savedBy(item)
      for (let level = 1; level < count; level++)
        saved[level] = (saved[level] as Tokens) + (saved[level - 1] as Tokens)
      const targets = new Set<number>()
      for (; (items[allowed]?.eligible ?? NEVER) <= request; allowed++)
        targets.add((items[allowed] as Item).level)
      const highest = items[allowed - 1]?.level
      return highest === undefined ? [] : [...targets.add(highest)]
    },
    /** The tokens of the request. */
    tokensOf: ({ level, missed }: Masked): Tokens =>
      (prefixTokens[ends[request] as number] as Tokens) -
      clearedTokens -
      (saved[level] as Tokens) +
      missedTokens(missed),
    /** The tokens before a message; called for ascending levels. */
    tokensUpTo: ({ level, missed }: Masked, end: number): Tokens => {
      for (; (items[summed]?.level ?? NEVER) <= level; summed++) {
        const item = items[summed] as Item
        sums.add(item.message, savedBy(item))
      }
      return (prefixTokens[end] as Tokens) - sums.sumOf(end) + missedTokens(missed, end)
    },
    /** By level below a target: the first message that a move to it changes, of those sent before. */
    firstChanges: (target: number): Float64Array => {
      const first = new Float64Array(target)
      let changed = NEVER
      let at = partitionPoint(0, items.length, (index) => (items[index] as Item).level <= target)
      while (at-- > 0) {
        const { message, from, by, level } = items[at] as Item
        if (from <= request && request <= by && message < sentBefore)
          changed = Math.min(changed, message)
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
      const here = events.get(at)
      if (here === undefined) return NO_CHANGES
      let [changed, arrived] = [NEVER, NEVER]
      for (const { message, isIn } of here) {
        if (!isIn(masked)) continue
        if (message >= (ends[at - 1] as number)) arrived = Math.min(arrived, message)
        else changed = Math.min(changed, message)
      }
      return { changed, arrived }
    },
  }
}

/** In the order of their levels. */
function itemsOf(
  { session, maskings, firstTriggered }: PreparedReplay,
  windowTurns: number,
  neededUntil: ReadonlyMap<number, number>,
): Item[] {
  const { conversation, requests } = session
  const turnsBefore = (request: number) =>
    (requests[request] as SessionRequest).turnCount - windowTurns
  const found = maskings.flatMap(({ result, turn, from, until, by, savedTokens }) => {
    const passed = partitionPoint(firstTriggered, requests.length, (at) => turnsBefore(at) <= turn)
    const eligible = Math.max(passed, (neededUntil.get(result) ?? -1) + 1)
    // One that ends before has ended before the window passes it.
    if (until < requests.length || eligible > by) return []
    const message = conversation.results[result]?.message as number
    return [{ result, turn, from, by, savedTokens, message, eligible }]
  })
  found.sort((a, b) => a.eligible - b.eligible || a.turn - b.turn || a.message - b.message)
  let level = 0
  return found.map((item, at) => {
    const before = found[at - 1]
    if (item.eligible !== before?.eligible || item.turn !== before.turn) level++
    return { ...item, level }
  })
}
