/** What mechanisms have in common that put one text in the place of old results. */
import { memoizeFor } from '../memoize-for'
import { partitionPoint } from '../text/span'
import { type HistoryMessage, positionsOf, type SessionHistory } from './history'
import { type MessageEdit, type MessageEdits, NO_EDITS } from './mechanism'

/** Text that several clients send for a result that they cleared. */
export const CLEARED_TEXT = '[Old tool result content cleared]'

/** Positions of the results that a request has, ascending, without those of some tools. */
export function resultsBefore(
  history: SessionHistory,
  end: number,
  excludedTools: readonly string[] = [],
): readonly number[] {
  const all = memoizeFor(history, `results ${excludedTools.join('\n')}`, () =>
    positionsOf(history, 'tool').filter(
      (at) => !excludedTools.includes(history.messages[at]?.toolName ?? ''),
    ),
  )
  return positionsBefore(all, end)
}

/** Those of ascending positions that are before another one: the same list each time. */
export function positionsBefore(positions: readonly number[], end: number): readonly number[] {
  const isBefore = (index: number) => (positions[index] as number) < end
  return firstOf(positions, partitionPoint(0, positions.length, isBefore))
}

/** The first items of a list: the same list each time. */
export function firstOf<Item>(list: readonly Item[], count: number): readonly Item[] {
  const length = Math.min(Math.max(0, count), list.length)
  return length === list.length ? list : memoizeFor(list, length, () => list.slice(0, length))
}

type ResultEdits = readonly (readonly [at: number, MessageEdit])[]

/** The results that become something else, and what; it is made once for a key. */
export function resultEdits(
  history: SessionHistory,
  key: string,
  contentOf: (message: HistoryMessage) => string | undefined,
): ResultEdits {
  return memoizeFor(history, key, () =>
    positionsOf(history, 'tool').flatMap((at) => {
      const content = contentOf(history.messages[at] as HistoryMessage)
      return content === undefined ? [] : [[at, { content }] as const]
    }),
  )
}

/** Those of some edits, ascending by position, that are before a position: the same object each time. */
export function editsBefore(all: ResultEdits, end: number): MessageEdits {
  const count = partitionPoint(0, all.length, (index) => (all[index]?.[0] as number) < end)
  return memoizeFor(all, count, () => new Map(all.slice(0, count)))
}

/** Gives these results one text and, if asked for, their calls no arguments. */
export function clearResults(
  history: SessionHistory,
  positions: readonly number[],
  content: string,
  hasInputs = false,
): MessageEdits {
  if (positions.length === 0) return NO_EDITS
  const edit: MessageEdit = memoizeFor(history, `content ${content}`, () => ({ content }))
  return memoizeFor(positions, `${hasInputs} ${content}`, () => {
    const edits = new Map(positions.map((at) => [at, edit]))
    if (hasInputs) for (const [at, calls] of emptied(history, positions)) edits.set(at, { calls })
    return edits
  })
}

/** The state of what clears results for good is their positions, ascending: with more of them. */
export function withMore(cleared: readonly number[], more: readonly number[]): readonly number[] {
  return more.length === 0 ? cleared : [...cleared, ...more].sort((a, b) => a - b)
}

/** By message with calls of these results: the arguments that they become. */
function emptied(history: SessionHistory, positions: readonly number[]) {
  const emptied = new Map<number, Record<number, string>>()
  for (const at of positions) {
    const call = callOf(history, at)
    if (call !== undefined) emptied.set(call.at, { ...emptied.get(call.at), [call.position]: '{}' })
  }
  return emptied
}

/** By message: of a result, the nearest call before it that has its id; undefined if there is none. */
export function callsOf(history: SessionHistory) {
  return memoizeFor(history, callsOf, () => {
    const known = new Map<string | undefined, { readonly at: number; readonly position: number }>()
    return history.messages.map(({ calls, callId }, at) => {
      for (const [position, { id }] of calls.entries()) known.set(id, { at, position })
      return callId === undefined ? undefined : known.get(callId)
    })
  })
}

export const callOf = (history: SessionHistory, result: number) => callsOf(history)[result]

/** True if the format itself marks a result as an error. */
export function isError({ session, messages }: SessionHistory, at: number): boolean {
  const result = messages[at]?.result as number
  return session.conversation.results[result]?.errorRules.includes('flag') === true
}

/** Position of the nth last message of a user before a position; undefined if there are fewer. */
export function lastUserMessage(history: SessionHistory, end: number, nth: number) {
  return positionsBefore(positionsOf(history, 'user'), end).at(-nth)
}
