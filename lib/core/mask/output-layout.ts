/**
 * Lines and columns of the maskable strings in the source and in the masked text. With them, an editor that shows the
 * masked text changes only the ranges that differ. Placeholders are JSON strings, so the number of lines never changes.
 */
import type { Conversation } from '../conversation/conversation'
import type { Decision } from '../policy/decide'
import { writeEmbeddedString } from '../text/embedded-json'
import { type LineColumn, type LineIndex, lineColumnAt } from '../text/lines'
import { partitionPoint, type Span } from '../text/span'

/** A slot with its position; the column counts from 1 in the source line. */
export interface PlacedSlot extends Span, LineColumn {
  readonly conversation: number
  readonly result: number
  readonly encoded: number
  /** The text that replaces it instead of the placeholder. */
  readonly filler: string | undefined
}

/** The slots of all conversations of a document, in document order. */
export function placeSlots(
  conversations: readonly Pick<Conversation, 'results'>[],
  index: LineIndex,
): PlacedSlot[] {
  const slots = conversations.flatMap(({ results }, conversation) =>
    results.flatMap(({ slots }, result) =>
      slots.map(({ start, end, encoded, filler }) => ({
        ...lineColumnAt(index, start),
        start,
        end,
        conversation,
        result,
        encoded,
        filler,
      })),
    ),
  )
  return slots.sort((a, b) => a.start - b.start)
}

/** The slots of the masked text, by index of the placed slots. Those of one line do not depend on other lines. */
export interface OutputLayout {
  readonly columns: readonly number[]
  readonly lengths: readonly number[]
  /** The text that replaces the slot, including quotes; undefined if the slot is kept. */
  readonly texts: readonly (string | undefined)[]
  /** The placeholder of each slot, to reuse `texts` while it is the same. */
  readonly placeholders: readonly (string | undefined)[]
}

/** Lays out the masked text. Decisions are by conversation and result; `last` saves work for unchanged decisions. */
export function layoutOutput(
  slots: readonly PlacedSlot[],
  decisions: readonly (readonly Decision[])[],
  last?: OutputLayout,
): OutputLayout {
  const columns: number[] = []
  const lengths: number[] = []
  const texts: (string | undefined)[] = []
  const placeholders: (string | undefined)[] = []
  let line = 0
  let shift = 0
  for (const [index, slot] of slots.entries()) {
    if (slot.line !== line) shift = 0
    line = slot.line
    const placeholder = decisions[slot.conversation]?.[slot.result]?.placeholder
    const isSame = last !== undefined && last.placeholders[index] === placeholder
    const text = isSame ? last.texts[index] : replacement(placeholder, slot)
    const length = text?.length ?? slot.end - slot.start
    columns.push(slot.column + shift)
    lengths.push(length)
    texts.push(text)
    placeholders.push(placeholder)
    shift += length - (slot.end - slot.start)
  }
  return { columns, lengths, texts, placeholders }
}

function replacement(
  placeholder: string | undefined,
  { filler, encoded }: PlacedSlot,
): string | undefined {
  return placeholder === undefined ? undefined : writeEmbeddedString(filler ?? placeholder, encoded)
}

/** A replacement within one line of the previous masked text; it covers slots `first` to `last`. */
export interface RangeEdit {
  readonly first: number
  readonly last: number
  readonly line: number
  readonly startColumn: number
  readonly endColumn: number
  readonly text: string
}

/**
 * The edits that change the masked text of one layout into that of another, for a range of slots; all refer to the first
 * text.
 * There is at most one edit per line, from the first changed slot to the last, since an editor renders a line for each edit.
 */
export function rangeEdits(
  source: string,
  slots: readonly PlacedSlot[],
  before: OutputLayout,
  after: OutputLayout,
  from = 0,
  until = slots.length,
): RangeEdit[] {
  const edits: RangeEdit[] = []
  let first: number | undefined
  let last = 0
  const finish = () => {
    if (first === undefined) return
    edits.push({
      first,
      last,
      line: (slots[first] as PlacedSlot).line,
      startColumn: before.columns[first] as number,
      endColumn: (before.columns[last] as number) + (before.lengths[last] as number),
      text: textBetween(source, slots, after, first, last),
    })
    first = undefined
  }
  for (let index = from; index < until; index++) {
    if (before.texts[index] === after.texts[index]) continue
    const slot = slots[index] as PlacedSlot
    if (first !== undefined && (slots[first] as PlacedSlot).line !== slot.line) finish()
    first ??= index
    last = index
  }
  finish()
  return edits
}

/** The masked text from one slot to another of the same line. */
function textBetween(
  source: string,
  slots: readonly PlacedSlot[],
  { texts }: OutputLayout,
  first: number,
  last: number,
): string {
  const pieces: string[] = []
  for (let index = first; index <= last; index++) {
    const { start, end } = slots[index] as PlacedSlot
    if (index > first) pieces.push(source.slice((slots[index - 1] as PlacedSlot).end, start))
    pieces.push(texts[index] ?? source.slice(start, end))
  }
  return pieces.join('')
}

/** Index of the first slot on a line or below it. */
export function firstSlotOnLine(slots: readonly PlacedSlot[], line: number): number {
  return partitionPoint(0, slots.length, (index) => (slots[index] as PlacedSlot).line < line)
}

/** Converts a source position to the masked text; inside a replaced slot, to the start of the slot. */
export function toOutput(
  slots: readonly PlacedSlot[],
  layout: OutputLayout,
  { line, column }: LineColumn,
): LineColumn {
  const { at, slot } = slotBefore(
    slots,
    line,
    (index) => (slots[index] as PlacedSlot).column,
    column,
  )
  if (slot === undefined) return { line, column }
  const inside = column - slot.column
  const outputColumn = layout.columns[at] as number
  const length = slot.end - slot.start
  if (inside >= length)
    return { line, column: outputColumn + (layout.lengths[at] as number) + inside - length }
  return { line, column: layout.texts[at] === undefined ? outputColumn + inside : outputColumn }
}

/** Converts a position in the masked text to the source; inside a placeholder, to the start of the slot. */
export function toSource(
  slots: readonly PlacedSlot[],
  layout: OutputLayout,
  { line, column }: LineColumn,
): LineColumn {
  const { at, slot } = slotBefore(slots, line, (index) => layout.columns[index] as number, column)
  if (slot === undefined) return { line, column }
  const inside = column - (layout.columns[at] as number)
  const length = layout.lengths[at] as number
  if (inside >= length)
    return { line, column: slot.column + (slot.end - slot.start) + inside - length }
  return { line, column: layout.texts[at] === undefined ? slot.column + inside : slot.column }
}

function slotBefore(
  slots: readonly PlacedSlot[],
  line: number,
  columnOf: (index: number) => number,
  column: number,
): { at: number; slot: PlacedSlot | undefined } {
  const first = firstSlotOnLine(slots, line)
  const end = firstSlotOnLine(slots, line + 1)
  const after = partitionPoint(first, end, (index) => columnOf(index) <= column)
  return { at: after - 1, slot: after > first ? slots[after - 1] : undefined }
}
