/** A mechanism on all requests of a session: what each request sends, and the input of a replay. */

import { memoizeFor } from '../memoize-for'
import type { RequestChanges } from '../replay/request-changes'
import type { Tokens } from '../replay/units'
import type { HistoryMessage, SessionHistory } from './history'
import {
  type Becomes,
  type Mechanism,
  type OwnRequest,
  type Picture,
  type Settings,
  UNCHANGED,
} from './mechanism'

/** What a mechanism did in one request. */
export interface MechanismStep {
  readonly picture: Picture
  /** What is not as it was in the request before. */
  readonly changed: readonly Change[]
  readonly own: OwnRequest | undefined
}

export interface Change {
  /** Position in the history. */
  readonly at: number
  /** Undefined if it is again what it was. */
  readonly becomes: Becomes | undefined
  /** Tokens that it saves beyond the request before. */
  readonly savedMore: Tokens
}

/** Takes a mechanism through the requests of a session, one after the other. */
export function* mechanismSteps<State>(
  history: SessionHistory,
  { start, step }: Mechanism<State>,
  settings: Settings,
): Generator<MechanismStep> {
  let [state, before] = [start, UNCHANGED]
  let [sentTokens, saved] = [0, 0]
  for (const [request, end] of history.ends.entries()) {
    const idleSeconds = idleBefore(history, request)
    const stepped = step({ history, end, request, sentTokens, idleSeconds }, state, settings)
    const changed = changesBetween(history, before, stepped.picture)
    saved = changed.reduce((sum, { savedMore }) => sum + savedMore, saved)
    sentTokens = (history.prefixTokens[end] as Tokens) - saved
    state = stepped.state
    before = stepped.picture
    yield { picture: stepped.picture, changed, own: stepped.own }
  }
}

function changesBetween(
  history: SessionHistory,
  before: Picture,
  after: Picture,
): readonly Change[] {
  if (before === after) return []
  return memoizeFor(after, before, () => {
    const changed: Change[] = []
    const add = (at: number, was: Becomes | undefined, becomes: Becomes | undefined) => {
      if (was === becomes || keyOf(was) === keyOf(becomes)) return
      const savedMore = savedTokens(history, at, becomes) - savedTokens(history, at, was)
      changed.push({ at, becomes, savedMore })
    }
    for (const [at, was] of before) if (!after.has(at)) add(at, was, undefined)
    for (const [at, becomes] of after) add(at, before.get(at), becomes)
    return changed
  })
}

/** Equal for what is the same text. */
function keyOf(becomes: Becomes | undefined): string {
  return becomes === undefined ? '' : JSON.stringify(becomes)
}

/** Seconds from the request before; undefined for the first one, and without times. */
function idleBefore({ session }: SessionHistory, request: number): number | undefined {
  const [before, own] = [session.requests[request - 1]?.sentAt, session.requests[request]?.sentAt]
  return before === undefined || own === undefined ? undefined : (own - before) / 1000
}

/** Tokens that a change saves; negative if it adds some. */
export function savedTokens(
  { messages, countTokens }: Pick<SessionHistory, 'messages' | 'countTokens'>,
  at: number,
  becomes: Becomes | undefined,
): Tokens {
  if (becomes === undefined) return 0
  const { tokens, contentTokens, calls } = messages[at] as HistoryMessage
  if (becomes.isRemoved) return tokens - (becomes.summaryTokens ?? 0)
  const { content } = becomes
  let saved = 0
  if (content !== undefined) saved = contentTokens - countTokens(content)
  for (const [position, written] of Object.entries(becomes.calls ?? {})) {
    const before = calls[Number(position)]?.tokens as Tokens
    saved += before - (written === null ? 0 : countTokens(written))
  }
  return saved
}

export interface MechanismRun {
  readonly changes: RequestChanges
  readonly steps: readonly MechanismStep[]
}

/** The changes of a mechanism, as a replay takes them. Its items are the messages of the history. */
export function runMechanism(
  history: SessionHistory,
  mechanism: Mechanism,
  settings: Settings,
): MechanismRun {
  const { messages, ends } = history
  const steps = [...mechanismSteps(history, mechanism, settings)]
  const numbers = new Map([['', 0]])
  const numberOf = (becomes: Becomes | undefined): number => {
    const key = keyOf(becomes)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  let [canReturn, now] = [false, -1]
  /** By message: what it was in the requests before. */
  const seen = new Map<number, Set<number>>()
  const states = steps.map(({ changed }, request) =>
    changed.map(({ at, becomes }) => {
      const state = numberOf(becomes)
      const wasSent = at < (ends[request - 1] ?? 0)
      const before = seen.get(at) ?? new Set(wasSent ? [0] : [])
      if (before.has(state)) canReturn = true
      seen.set(at, before.add(state))
      return state
    }),
  )
  const state = new Int32Array(messages.length)
  const changedItems = new Int32Array(messages.length)
  const saved = new Float64Array(messages.length)
  const first = steps.findIndex(({ changed }) => changed.length > 0)
  return {
    steps,
    changes: {
      messageOf: messages.map(({ message }) => message),
      sentItems: ends,
      canReturn,
      first: first === -1 ? Number.POSITIVE_INFINITY : first,
      next: (request) => {
        // A pass begins again with an earlier request.
        if (request <= now) state.fill(0)
        now = request
        const changed = steps[request]?.changed ?? []
        for (const [index, { at, savedMore }] of changed.entries()) {
          state[at] = states[request]?.[index] as number
          changedItems[index] = at
          saved[index] = savedMore
        }
        return changed.length
      },
      changed: changedItems,
      saved,
      state,
    },
  }
}
