/**
 * What becomes of the results of a session from request to request: the input of a replay. Here it is a window that masks
 * results as it moves on. Any other way to shorten requests is replayed by giving its changes in the same form.
 */
import { firstKeptTurn } from '../policy/decide'
import { type MaskedSpan, type MaskWindow, maskingPlan, type PlannedMasking } from './masking-plan'
import type { PreparedReplay } from './prepare-replay'
import type { Tokens } from './units'

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

/** Every request is sent as it is. */
export const NO_CHANGES: RequestChanges = {
  messageOf: [],
  sentItems: [],
  canReturn: false,
  first: Number.POSITIVE_INFINITY,
  next: () => 0,
  changed: new Int32Array(),
  saved: new Float64Array(),
  state: new Int32Array(),
}

const NONE = -1

/** The changes of any window. The lists are flat, since a sweep goes through half a million requests. */
export function windowChanges(prepared: PreparedReplay): WindowChanges {
  const { conversation, requests } = prepared.session
  const { spans, startOfTurn, sentResults, fixedFrom, groupOf } = maskingPlan(prepared)
  const requestCount = requests.length
  const resultCount = conversation.results.length
  const turnCounts = Int32Array.from(requests, ({ turnCount }) => turnCount)
  const from = Int32Array.from(spans, (span) => span.from)
  const until = Int32Array.from(spans, (span) => span.until)
  const groupOfSpan = Int32Array.from(spans, ({ groupIndex }) => groupIndex)
  const results = flat(prepared.groups.map((group) => group.results))
  const { entryOf, placeholders, savedTokens } = flatMaskings(spans)
  /** Results of an id that has an earlier one: they can arrive when the earlier ones are masked already. */
  const late = prepared.groups
    .flatMap((group) => group.results.slice(1))
    .sort((one, other) => one - other)

  /** Linked lists of the spans that begin and end at each request: the first one by request, the next one by span. */
  const beginning = new Int32Array(requestCount)
  const nextBeginning = new Int32Array(spans.length)
  const ending = new Int32Array(requestCount)
  const nextEnding = new Int32Array(spans.length)
  /** By group: the span in which it is now. */
  const spanOf = new Int32Array(prepared.groups.length)
  const state = new Int32Array(resultCount)
  const savedOf = new Float64Array(resultCount)
  const changed = new Int32Array(resultCount)
  const saved = new Float64Array(resultCount)
  let [windowTurns, batchTurns] = [0, 1]
  let [canReturn, first, nextTurn, nextLate, count, masked] = [false, 0, 0, 0, 0, 0]

  /** The first request in which a window can mask a result. */
  function firstMasked(): number {
    if (windowTurns <= 0) return requestCount
    const turns = windowTurns + Math.max(1, batchTurns)
    let request = prepared.firstTriggered
    while (request < requestCount && (turnCounts[request] as number) < turns) request++
    return request
  }

  /** Lists the spans whose turn the window has passed. */
  function passTurns(request: number): void {
    const turnCount = turnCounts[request] as number
    const firstKept = firstKeptTurn(turnCount, { windowTurns, batchTurns })
    for (; nextTurn < firstKept; nextTurn++) {
      const end = startOfTurn[nextTurn + 1] as number
      for (let span = startOfTurn[nextTurn] as number; span < end; span++) {
        const last = until[span] as number
        // The spans of a turn that end last are first.
        if (last <= request) break
        const at = Math.max(request, from[span] as number)
        nextBeginning[span] = beginning[at] as number
        beginning[at] = span
        if (last === requestCount) continue
        nextEnding[span] = ending[last] as number
        ending[last] = span
      }
    }
  }

  function set(result: number, placeholder: number, tokens: Tokens): void {
    const before = state[result] as number
    if (before === placeholder) return
    masked += (placeholder > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
    state[result] = placeholder
    changed[count] = result
    saved[count++] = tokens - (savedOf[result] as Tokens)
    savedOf[result] = tokens
  }

  /** Gives the results of a group that are sent the state of the span in which the group is. */
  function setGroup(group: number, sent: number): void {
    const span = spanOf[group] as number
    const start = results.startOf[group] as number
    const end = results.startOf[group + 1] as number
    for (let at = start; at < end; at++) {
      const result = results.values[at] as number
      if (result >= sent) return
      const entry = span === NONE ? NONE : (entryOf[span] as number) + at - start
      if (entry === NONE) set(result, 0, 0)
      else set(result, placeholders[entry] as number, savedTokens[entry] as Tokens)
    }
  }

  function next(request: number): number {
    count = 0
    passTurns(request)
    const sent = sentResults[request] as number
    const ended = ending[request] as number
    const begun = beginning[request] as number
    for (let span = ended; span !== NONE; span = nextEnding[span] as number)
      spanOf[groupOfSpan[span] as number] = NONE
    for (let span = begun; span !== NONE; span = nextBeginning[span] as number)
      spanOf[groupOfSpan[span] as number] = span
    for (let span = ended; span !== NONE; span = nextEnding[span] as number)
      setGroup(groupOfSpan[span] as number, sent)
    for (let span = begun; span !== NONE; span = nextBeginning[span] as number)
      setGroup(groupOfSpan[span] as number, sent)
    for (; nextLate < late.length && (late[nextLate] as number) < sent; nextLate++) {
      const group = groupOf[late[nextLate] as number] as number
      if (group !== NONE && spanOf[group] !== NONE) setGroup(group, sent)
    }
    return count
  }

  return {
    messageOf: Int32Array.from(conversation.results, ({ message }) => message),
    sentItems: sentResults,
    get canReturn() {
      return canReturn
    },
    get first() {
      return first
    },
    next,
    changed,
    saved,
    state,
    maskedResults: () => masked,
    restart: (window) => {
      windowTurns = window.windowTurns
      batchTurns = window.batchTurns
      canReturn = windowTurns > 0 && windowTurns < fixedFrom
      first = firstMasked()
      nextTurn = 0
      nextLate = 0
      masked = 0
      beginning.fill(NONE)
      ending.fill(NONE)
      spanOf.fill(NONE)
      state.fill(0)
      savedOf.fill(0)
    },
  }
}

/** Lists one after another; that of item n begins at `startOf[n]`. */
function flat(lists: readonly (readonly number[])[]) {
  const startOf = new Int32Array(lists.length + 1)
  for (const [index, { length }] of lists.entries())
    startOf[index + 1] = (startOf[index] as number) + length
  return { startOf, values: Int32Array.from(lists.flat()) }
}

/** The maskings of all spans, each of them once. */
function flatMaskings(spans: readonly MaskedSpan[]) {
  const maskings = new Map<PlannedMasking, number>()
  for (const { masking } of spans) if (!maskings.has(masking)) maskings.set(masking, maskings.size)
  const placeholders = flat([...maskings.keys()].map((masking) => masking.placeholders))
  return {
    /** By span: the first entry of its masking. */
    entryOf: Int32Array.from(
      spans,
      ({ masking }) => placeholders.startOf[maskings.get(masking) as number] as number,
    ),
    placeholders: placeholders.values,
    savedTokens: Float64Array.from([...maskings.keys()].flatMap((masking) => masking.savedTokens)),
  }
}
