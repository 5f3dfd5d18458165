/**
 * What becomes of the results of a session from request to request: the input of a replay. Here it is a window that masks
 * results as it moves on. Any other way to shorten requests is replayed by giving its changes in the same form.
 */
import { addToGroup } from '../conversation/add-to-group'
import { memoizeFor } from '../memoize-for'
import { breakEvenSteps } from '../policy/break-even'
import { firstKeptTurn } from '../policy/window-steps'
import { partitionPoint } from '../text/span'
import { type Masking, type MaskWindow, NO_WINDOW, type PreparedReplay } from './prepare-replay'
import type { Tokens } from './prompt-cache'
import type { SessionRequest } from './sessions'

type Prepared = Pick<PreparedReplay, 'session' | 'aging' | 'cache'>

/** By request: the first turn that a window keeps which moves at break-even. */
function turnsAtBreakEven({ session, aging, cache }: Prepared, windowTurns: number) {
  return memoizeFor(aging, windowTurns, () => {
    const { messages } = session.conversation
    const stepsUpTo = (end?: number) =>
      breakEvenSteps(messages.slice(0, end), aging, windowTurns, cache)
    const byEnd = new Map(stepsUpTo().map(({ end, firstKept }) => [end, firstKept]))
    // A request that no answer follows is decided on its own, as the agent did; one of no message has no step.
    return session.requests.map(
      ({ end }) => byEnd.get(end) ?? stepsUpTo(end).at(-1)?.firstKept ?? 0,
    )
  })
}

/** A function that gives the first turn that a window keeps in a request. */
export function keptTurnsOf(
  prepared: Prepared,
  { windowTurns, batchTurns, lastTurn = Number.POSITIVE_INFINITY }: MaskWindow,
): (request: number) => number {
  if (batchTurns === 'auto') {
    const turns = turnsAtBreakEven(prepared, windowTurns)
    return (request) => Math.min(lastTurn, turns[request] as number)
  }
  const { requests } = prepared.session
  return (request) =>
    firstKeptTurn((requests[request] as SessionRequest).turnCount, { windowTurns, batchTurns })
}

/** Items are the parts of a session that can become something else, in order: usually its results. */
export interface RequestChanges {
  /** By item: the message that it is in. */
  readonly messageOf: ArrayLike<number>
  /** By request: the number of items that it sends. */
  readonly sentItems: ArrayLike<number>
  /** True if a changed item can become again what it was in an earlier request. */
  readonly canReturn: boolean
  /** The first request with a change, or one before it. The requests before are as without changes. */
  readonly first: number
  /** Finds the changes of a request and returns their number; called once for each request from `first` on. */
  readonly next: (request: number) => number
  /** The items that changed or are new and not as they were; and the tokens that each saves beyond the request before. */
  readonly changed: Int32Array
  readonly saved: Float64Array
  /** By item: what it is in this request; 0 if it is unchanged. Items with equal numbers are equal. */
  readonly state: Int32Array
}

export interface WindowChanges extends RequestChanges {
  /** Begins again, with another window. */
  readonly restart: (window: MaskWindow) => void
  /** Results that are masked in this request. */
  readonly maskedResults: () => number
}

const NONE = -1

/** The state of a result that the client itself cleared. */
const CLEARED = -1

/** The changes of any window. The lists are flat, since a sweep goes through half a million requests. */
export function windowChanges(prepared: PreparedReplay): WindowChanges {
  const { maskings, clearings, fixedFrom, firstTriggered } = prepared
  const { conversation, requests } = prepared.session
  const requestCount = requests.length
  const resultCount = conversation.results.length
  const messageOf = Int32Array.from(conversation.results, ({ message }) => message)
  const sentItems = Int32Array.from(requests, ({ end }) =>
    partitionPoint(0, resultCount, (index) => (messageOf[index] as number) < end),
  )
  const column = (key: Exclude<keyof Masking, 'text'>) =>
    Int32Array.from(maskings, (masking) => masking[key])
  const [turns, from, until] = [column('turn'), column('from'), column('until')]
  const [by, resultOf, placeholders] = [column('by'), column('result'), column('placeholder')]
  const savedTokens = Float64Array.from(maskings, (masking) => masking.savedTokens)

  /** Linked lists of the maskings that begin and end at each request: the first one by request, the next one by masking. */
  const beginning = new Int32Array(requestCount)
  const nextBeginning = new Int32Array(maskings.length)
  const ending = new Int32Array(requestCount)
  const nextEnding = new Int32Array(maskings.length)
  /** By result: its masking now. */
  const maskingOf = new Int32Array(resultCount)
  /** By result, and by request: what the client cleared. */
  const clearedSaved = new Float64Array(resultCount)
  const isCleared = new Uint8Array(resultCount)
  const clearedFrom = new Map<number, number[]>()
  for (const { result, from, savedTokens } of clearings) {
    clearedSaved[result] = savedTokens
    addToGroup(clearedFrom, from, result)
  }
  const state = new Int32Array(resultCount)
  const savedOf = new Float64Array(resultCount)
  const changed = new Int32Array(resultCount)
  const saved = new Float64Array(resultCount)
  let windowTurns = 0
  let firstKeptAt = keptTurnsOf(prepared, NO_WINDOW)
  let [canReturn, maskedFrom, passed, count, masked] = [false, 0, 0, 0, 0]

  /** The first request in which a window can mask a result. */
  function firstMasked(): number {
    if (windowTurns <= 0) return requestCount
    let request = firstTriggered
    while (request < requestCount && firstKeptAt(request) <= 0) request++
    return request
  }

  /** Lists the maskings whose turn the window has passed. */
  function passTurns(request: number): void {
    const firstKept = firstKeptAt(request)
    for (; passed < maskings.length && (turns[passed] as number) < firstKept; passed++) {
      const last = until[passed] as number
      if (last <= request) continue
      const at = Math.max(request, from[passed] as number)
      if (at > (by[passed] as number)) continue
      nextBeginning[passed] = beginning[at] as number
      beginning[at] = passed
      if (last === requestCount) continue
      nextEnding[passed] = ending[last] as number
      ending[last] = passed
    }
  }

  /** Gives a result the state of its masking. */
  function set(result: number): void {
    const masking = maskingOf[result] as number
    const own = isCleared[result] === 1 ? CLEARED : 0
    const placeholder = masking === NONE ? own : (placeholders[masking] as number)
    const before = state[result] as number
    if (before === placeholder) return
    const cleared = own === 0 ? 0 : (clearedSaved[result] as Tokens)
    const tokens = masking === NONE ? cleared : (savedTokens[masking] as Tokens)
    masked += (placeholder > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
    state[result] = placeholder
    changed[count] = result
    saved[count++] = tokens - (savedOf[result] as Tokens)
    savedOf[result] = tokens
  }

  function next(request: number): number {
    count = 0
    if (request >= maskedFrom) passTurns(request)
    const ended = ending[request] as number
    const begun = beginning[request] as number
    const cleared = clearedFrom.get(request) ?? []
    for (const result of cleared) isCleared[result] = 1
    for (let at = ended; at !== NONE; at = nextEnding[at] as number)
      maskingOf[resultOf[at] as number] = NONE
    for (let at = begun; at !== NONE; at = nextBeginning[at] as number)
      maskingOf[resultOf[at] as number] = at
    for (let at = ended; at !== NONE; at = nextEnding[at] as number) set(resultOf[at] as number)
    for (let at = begun; at !== NONE; at = nextBeginning[at] as number) set(resultOf[at] as number)
    for (const result of cleared) set(result)
    return count
  }

  return {
    messageOf,
    sentItems,
    get canReturn() {
      return canReturn
    },
    get first() {
      return Math.min(maskedFrom, ...clearedFrom.keys())
    },
    next,
    changed,
    saved,
    state,
    maskedResults: () => masked,
    restart: (window) => {
      windowTurns = window.windowTurns
      firstKeptAt = keptTurnsOf(prepared, window)
      canReturn = windowTurns > 0 && windowTurns < fixedFrom
      maskedFrom = firstMasked()
      passed = 0
      masked = 0
      beginning.fill(NONE)
      ending.fill(NONE)
      maskingOf.fill(NONE)
      state.fill(0)
      isCleared.fill(0)
      savedOf.fill(0)
    },
  }
}
