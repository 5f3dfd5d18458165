/**
 * Where the maskable strings stand in the source and in the masked text, as lines and columns, so that an editor
 * showing the masked text needs only the ranges that change. Placeholders are JSON strings: no line is added or lost.
 */
import type { Conversation } from '../conversation/conversation'
import type { Decision } from '../policy/decide'
import { writeString } from '../text/embedded-json'
import { type LineColumn, type LineIndex, lineColumnAt } from '../text/line-index'
import { partitionPoint } from '../text/partition-point'
import type { Span } from '../text/span'

/** A slot with its place; the column counts from 1 in the source line. */
export interface PlacedSlot extends Span, LineColumn {
  readonly conversation: number
  readonly result: number
  readonly encoded: number
  /** What it becomes instead of the placeholder. */
  readonly filler: string | undefined
}

/** The slots of a document in its order, all conversations together. */
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

/** The masked text's slots, by index of the placed slots. */
export interface OutputLayout {
  readonly columns: readonly number[]
  readonly lengths: readonly number[]
  /** What stands in the slot's place, quotes included; undefined when it is kept. */
  readonly texts: readonly (string | undefined)[]
  /** The placeholders as decided, which spares writing them as JSON again. */
  readonly placeholders: readonly (string | undefined)[]
}

/** Lays the masked text out for decisions by conversation and result; `last` saves work where nothing flipped. */
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
  for (const [at, slot] of slots.entries()) {
    if (slot.line !== line) shift = 0
    line = slot.line
    const placeholder = decisions[slot.conversation]?.[slot.result]?.placeholder
    const isSame = last !== undefined && last.placeholders[at] === placeholder
    const text = isSame ? last.texts[at] : replacement(placeholder, slot)
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
  return placeholder === undefined ? undefined : writeString(filler ?? placeholder, encoded)
}

/** A replacement within one line of the masked text as it stood before; it covers slots `first` to `last`. */
export interface RangeEdit {
  readonly first: number
  readonly last: number
  readonly line: number
  readonly startColumn: number
  readonly endColumn: number
  readonly text: string
}

/**
 * The edits that turn the masked text of one layout into that of another; all refer to the first.
 * There is one edit a line, since an editor lays a line out again for each: from the first slot that changes to the last.
 */
export function rangeEdits(
  source: string,
  slots: readonly PlacedSlot[],
  before: OutputLayout,
  after: OutputLayout,
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
  for (const [at, slot] of slots.entries()) {
    if (before.texts[at] === after.texts[at]) continue
    if (first !== undefined && (slots[first] as PlacedSlot).line !== slot.line) finish()
    first ??= at
    last = at
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
  for (let at = first; at <= last; at++) {
    const { start, end } = slots[at] as PlacedSlot
    if (at > first) pieces.push(source.slice((slots[at - 1] as PlacedSlot).end, start))
    pieces.push(texts[at] ?? source.slice(start, end))
  }
  return pieces.join('')
}

/** Index of the first slot on a line or, when it has none, below it. */
export function firstSlotOnLine(slots: readonly PlacedSlot[], line: number): number {
  return partitionPoint(0, slots.length, (at) => (slots[at] as PlacedSlot).line < line)
}

/** The place in the masked text of a place in the source; inside a replaced slot, that slot's start. */
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

/** The place in the source of a place in the masked text; inside a placeholder, the replaced slot's start. */
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
