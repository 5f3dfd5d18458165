/** Locations of results and messages in the source text, for the editors. */

import type { Conversation } from '@/lib/core/conversation/conversation'
import { type LineSpan, lineSpansOf } from '@/lib/core/mask/output-layout'
import { positionAt, type TextPosition } from '@/lib/core/text/lines'
import type { Offset } from '@/lib/core/text/span'
import { shownDecisionsOf } from '../costs/request-view'
import type { DocumentDecisions } from '../policy/policy-view'
import { memoizeOf, select } from '../store'
import type { ReadSource } from './document-slice'
import { currentReadOf, lineIndexOf } from './selectors'

export type ShownDocument = ReturnType<typeof shownDocumentOf>
/** A range that shows the decision on a result: one of its spans, or the start of its message if it has none. */
export type ResultRange = ShownDocument['ranges'][number]

export const shownDocumentOf = memoizeOf((read: ReadSource) => {
  const index = lineIndexOf(read.source.text)
  const { conversations } = read.model
  const spans = lineSpansOf(conversations, index)
  const ofSpans = spans.map(({ conversation, result, line, column, end }, span) => {
    return { conversation, result, span, start: { line, column }, end: positionAt(index, end) }
  })
  const ofOthers = conversations.flatMap(({ results, messages }, conversation) =>
    results.flatMap(({ spans: resultSpans, message }, result) => {
      if (resultSpans.length > 0) return []
      const start = positionAt(index, messages[message]?.start ?? 0)
      return [{ conversation, result, span: undefined, start, end: start }]
    }),
  )
  return { read, index, spans, ranges: [...ofSpans, ...ofOthers] }
})

/** The message at an offset, if messages are nested the shortest; and if it has results, the one meant. */
export function messageContaining(conversations: readonly Conversation[], offset: Offset) {
  const pieces = conversations.flatMap(({ messages }, conversation) =>
    messages.flatMap(({ start, end, otherSpans }, message) =>
      [{ start, end }, ...otherSpans].map((piece) => ({ ...piece, conversation, message })),
    ),
  )
  const [best] = pieces
    .filter(({ start, end }) => start <= offset && offset <= end)
    .toSorted((one, other) => one.end - one.start - (other.end - other.start))
  if (best === undefined) return undefined
  const { conversation, message } = best
  const { results } = conversations[conversation] as Conversation
  return { conversation, message, result: resultIn(results, message, offset) }
}

/** The result whose text contains the offset, else the message's only result. */
function resultIn(results: Conversation['results'], message: number, offset: Offset) {
  const candidates = results.flatMap((result, index) => (result.message === message ? [index] : []))
  const meant = candidates.find((index) =>
    results[index]?.spans.some(({ start, end }) => start <= offset && offset <= end),
  )
  return meant ?? (candidates.length === 1 ? candidates[0] : undefined)
}

/** Indexes of the spans that a placeholder replaces, in document order. */
export const changedSpans = memoizeOf(
  (spans: readonly LineSpan[], decisions: DocumentDecisions): readonly number[] =>
    spans.flatMap(({ conversation, result }, at) =>
      decisions[conversation]?.[result]?.placeholder === undefined ? [] : [at],
    ),
)

/** The number of strings of the present text that are replaced; undefined until it is read and decided. */
export const changeCountOf = select(
  [currentReadOf, shownDecisionsOf],
  (read, decisions) => changedSpans(shownDocumentOf(read).spans, decisions).length,
)

/**
 * Returns the index in `changed` of the next change after a position of the source, or of the previous one before it.
 * After the last change comes the first. Undefined if there is none.
 */
export function stepChange(
  spans: readonly LineSpan[],
  changed: readonly number[],
  from: TextPosition,
  isBack: boolean,
): number | undefined {
  if (changed.length === 0) return undefined
  const isBeyond = (span: number) => {
    const { line, column } = spans[span] as LineSpan
    const order = line - from.line || column - from.column
    return isBack ? order < 0 : order > 0
  }
  const found = isBack ? changed.findLastIndex(isBeyond) : changed.findIndex(isBeyond)
  if (found >= 0) return found
  return isBack ? changed.length - 1 : 0
}
