/** A mechanism on all requests of a session: what each request sends, and the input of a replay. */

import { memoizeFor } from '../memoize-for'
import type { Tokens } from '../replay/prompt-cache'
import type { RequestChanges } from '../replay/request-changes'
import type { Steps } from '../steps'
import type { HistoryCall, HistoryMessage, SessionHistory } from './history'
import type { ExtraRequest, Mechanism, MessageEdit, MessageEdits, Settings } from './mechanism'
import { NO_EDITS } from './mechanism'

/** What a mechanism did in one request. */
export interface MechanismStep {
  readonly edits: MessageEdits
  /** What is not as it was in the request before. */
  readonly changed: readonly Change[]
  readonly extra: ExtraRequest | undefined
}

export interface Change {
  /** Position in the history. */
  readonly at: number
  /** Undefined if it is again what it was. */
  readonly edit: MessageEdit | undefined
  /** Tokens that it saves beyond the request before. */
  readonly savedMore: Tokens
}

/** Takes a mechanism through the requests of a session, one after the other. */
export function* mechanismSteps<State>(
  history: SessionHistory,
  { start, step }: Mechanism<State>,
  settings: Settings,
): Generator<MechanismStep> {
  let [state, before] = [start, NO_EDITS]
  let [sentTokens, saved] = [0, 0]
  for (const [request, end] of history.ends.entries()) {
    const stepped = step({ history, end, request, sentTokens }, state, settings)
    const changed = changesBetween(history, before, stepped.edits)
    saved = changed.reduce((sum, { savedMore }) => sum + savedMore, saved)
    sentTokens = (history.prefixTokens[end] as Tokens) - saved
    state = stepped.state
    before = stepped.edits
    yield { edits: stepped.edits, changed, extra: stepped.extra }
  }
}

function changesBetween(history: SessionHistory, before: MessageEdits, after: MessageEdits) {
  if (before === after) return []
  return memoizeFor(after, before, () => {
    const changed: Change[] = []
    const add = (at: number, was: MessageEdit | undefined, edit: MessageEdit | undefined) => {
      if (was === edit || keyOf(was) === keyOf(edit)) return
      const savedMore = savedTokens(history, at, edit) - savedTokens(history, at, was)
      changed.push({ at, edit, savedMore })
    }
    for (const [at, was] of before) if (!after.has(at)) add(at, was, undefined)
    for (const [at, edit] of after) add(at, before.get(at), edit)
    return changed
  })
}

/** Equal for what is the same text. */
function keyOf(edit: MessageEdit | undefined): string {
  return edit === undefined ? '' : memoizeFor(edit, keyOf, () => JSON.stringify(edit))
}

/** Tokens that a change saves; negative if it adds some. */
export function savedTokens(
  { messages, countTokens }: Pick<SessionHistory, 'messages' | 'countTokens'>,
  at: number,
  edit: MessageEdit | undefined,
): Tokens {
  if (edit === undefined) return 0
  const { tokens, contentTokens, calls } = messages[at] as HistoryMessage
  if (edit.isRemoved) return tokens - (edit.summary?.tokens ?? 0)
  const { content } = edit
  let saved = 0
  if (content !== undefined) saved = contentTokens - countTokens(content)
  for (const [position, written] of Object.entries(edit.calls ?? {})) {
    const call = calls[Number(position)] as HistoryCall
    saved += written === null ? call.tokens : call.argumentTokens - countTokens(written)
  }
  return saved
}

export interface MechanismRun {
  readonly changes: RequestChanges
  readonly steps: readonly MechanismStep[]
}

/** A step on a message takes at most about as long as searching so many characters. */
export const CHARS_PER_MESSAGE = 4

/**
 * The changes of a mechanism, for one pass of a replay; its items are the messages of the history. Yields after each request
 * what takes as long as so many characters searched.
 */
export function* runMechanismInSteps(
  history: SessionHistory,
  mechanism: Mechanism,
  settings: Settings,
): Steps<MechanismRun> {
  const { messages, ends } = history
  const steps: MechanismStep[] = []
  for (const step of mechanismSteps(history, mechanism, settings)) {
    yield (ends[steps.length] as number) * CHARS_PER_MESSAGE
    steps.push(step)
  }
  const numbers = new Map([['', 0]])
  const numberOf = (edit: MessageEdit | undefined): number => {
    const key = keyOf(edit)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  let canReturn = false
  /** By message: what it was in the requests before. */
  const seen = new Map<number, Set<number>>()
  const states = steps.map(({ changed }, request) =>
    changed.map(({ at, edit }) => {
      const state = numberOf(edit)
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
        const { changed } = steps[request] as MechanismStep
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
