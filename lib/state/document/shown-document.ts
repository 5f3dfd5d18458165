/** Locations of results and messages in the source text, for the editors. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import { type PlacedSlot, placeSlots } from '@/lib/core/mask/output-layout'
import { type LineColumn, type LineIndex, lineColumnAt } from '@/lib/core/text/lines'
import type { Offset } from '@/lib/core/text/span'
import type { DocumentDecisions } from '../policy/policy-view'
import { memoize } from '../select'
import type { ReadSource } from './document-slice'
import { lineIndexOf } from './selectors'

/** A range that shows the decision on a result: one of its slots, or the start of its message if it has none. */
export interface ResultPlace {
  readonly conversation: number
  readonly result: number
  /** Index in `slots`; undefined for a result without text. */
  readonly slot: number | undefined
  readonly start: LineColumn
  readonly end: LineColumn
}

export interface ShownDocument {
  readonly read: ReadSource
  readonly index: LineIndex
  readonly slots: readonly PlacedSlot[]
  readonly places: readonly ResultPlace[]
}

export const shownDocumentOf = memoize((read: ReadSource): ShownDocument => {
  const index = lineIndexOf(read.source.text)
  const { conversations } = read.model
  const slots = placeSlots(conversations, index)
  const ofSlots = slots.map(({ conversation, result, line, column, end }, slot) => {
    return {
      conversation,
      result,
      slot,
      start: { line, column },
      end: lineColumnAt(index, end),
    }
  })
  const ofOthers = conversations.flatMap(({ results, messages }, conversation) =>
    results.flatMap(({ slots: resultSlots, message }, result) => {
      if (resultSlots.length > 0) return []
      const start = lineColumnAt(index, messages[message]?.start ?? 0)
      return [{ conversation, result, slot: undefined, start, end: start }]
    }),
  )
  return { read, index, slots, places: [...ofSlots, ...ofOthers] }
})

/** A message and, if it has results, the one meant. */
export interface MessagePlace {
  readonly conversation: number
  readonly message: number
  readonly result: number | undefined
}

/** The message at an offset; if messages are nested, the shortest. */
export function messageContaining(
  conversations: readonly Conversation[],
  offset: Offset,
): MessagePlace | undefined {
  let best: MessagePlace | undefined
  let bestLength = Number.POSITIVE_INFINITY
  for (const [conversation, { messages }] of conversations.entries()) {
    for (const [message, { start, end, otherPieces: more }] of messages.entries()) {
      for (const piece of [{ start, end }, ...more]) {
        if (offset < piece.start || offset > piece.end) continue
        if (piece.end - piece.start >= bestLength) continue
        bestLength = piece.end - piece.start
        best = { conversation, message, result: undefined }
      }
    }
  }
  if (best === undefined) return undefined
  const { results } = conversations[best.conversation] as Conversation
  return { ...best, result: resultIn(results, best.message, offset) }
}

/** The result whose text contains the offset, else the message's only result. */
function resultIn(
  results: Conversation['results'],
  message: number,
  offset: Offset,
): number | undefined {
  const candidates = results.flatMap((result, index) => (result.message === message ? [index] : []))
  const meant = candidates.find((index) =>
    results[index]?.slots.some(({ start, end }) => start <= offset && offset <= end),
  )
  return meant ?? (candidates.length === 1 ? candidates[0] : undefined)
}

/** Indexes of the slots that a placeholder replaces, in document order. */
export const changedSlots = memoize(
  (slots: readonly PlacedSlot[], decisions: DocumentDecisions): readonly number[] =>
    slots.flatMap(({ conversation, result }, at) =>
      decisions[conversation]?.[result]?.placeholder === undefined ? [] : [at],
    ),
)

/**
 * Returns the index in `changed` of the next change after a position of the source, or of the previous one before it.
 * After the last change comes the first. Undefined if there is none.
 */
export function stepChange(
  slots: readonly PlacedSlot[],
  changed: readonly number[],
  from: LineColumn,
  isBack: boolean,
): number | undefined {
  if (changed.length === 0) return undefined
  const isBeyond = (slot: number) => {
    const order = compare(slots[slot] as PlacedSlot, from)
    return isBack ? order < 0 : order > 0
  }
  const found = isBack ? changed.findLastIndex(isBeyond) : changed.findIndex(isBeyond)
  if (found >= 0) return found
  return isBack ? changed.length - 1 : 0
}

function compare(first: LineColumn, second: LineColumn): number {
  return first.line - second.line || first.column - second.column
}
