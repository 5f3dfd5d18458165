/**
 * Lines and columns of the maskable strings in the source and in the masked text. With them, an editor that shows the
 * masked text changes only the ranges that differ. Placeholders are JSON strings, so the number of lines never changes.
 */
import type { Conversation } from '../conversation/conversation'
import type { Decision } from '../policy/decide'
import { writeEmbeddedString } from '../text/embedded-json'
import { type LineIndex, positionAt, type TextPosition } from '../text/lines'
import { partitionPoint, type TextSpan } from '../text/span'

/** A span with its position; the column counts from 1 in the source line. */
export interface LineSpan extends TextSpan, TextPosition {
  readonly conversation: number
  readonly result: number
  readonly encoded: number
  /** The text that replaces it instead of the placeholder. */
  readonly filler: string | undefined
}

/** The spans of all conversations of a document, in document order. */
export function lineSpansOf(
  conversations: readonly Pick<Conversation, 'results'>[],
  index: LineIndex,
): LineSpan[] {
  const spans = conversations.flatMap(({ results }, conversation) =>
    results.flatMap(({ spans }, result) =>
      spans.map(({ start, end, encoded, filler }) => ({
        ...positionAt(index, start),
        start,
        end,
        conversation,
        result,
        encoded,
        filler,
      })),
    ),
  )
  return spans.sort((a, b) => a.start - b.start)
}

/** The spans of the masked text, by index of the placed spans. Those of one line do not depend on other lines. */
export interface OutputLayout {
  readonly columns: readonly number[]
  readonly lengths: readonly number[]
  /** The text that replaces the span, including quotes; undefined if the span is kept. */
  readonly texts: readonly (string | undefined)[]
  /** The placeholder of each span, to reuse `texts` while it is the same. */
  readonly placeholders: readonly (string | undefined)[]
}

/** Lays out the masked text. Decisions are by conversation and result; `last` saves work for unchanged decisions. */
export function layoutOutput(
  spans: readonly LineSpan[],
  decisions: readonly (readonly Decision[])[],
  last?: OutputLayout,
): OutputLayout {
  const columns: number[] = []
  const lengths: number[] = []
  const texts: (string | undefined)[] = []
  const placeholders: (string | undefined)[] = []
  let line = 0
  let shift = 0
  for (const [index, span] of spans.entries()) {
    if (span.line !== line) shift = 0
    line = span.line
    const placeholder = decisions[span.conversation]?.[span.result]?.placeholder
    const isSame = last !== undefined && last.placeholders[index] === placeholder
    const text = isSame ? last.texts[index] : replacement(placeholder, span)
    const length = text?.length ?? span.end - span.start
    columns.push(span.column + shift)
    lengths.push(length)
    texts.push(text)
    placeholders.push(placeholder)
    shift += length - (span.end - span.start)
  }
  return { columns, lengths, texts, placeholders }
}

function replacement(placeholder: string | undefined, { filler, encoded }: LineSpan) {
  return placeholder === undefined ? undefined : writeEmbeddedString(filler ?? placeholder, encoded)
}

/** A replacement within one line of the previous masked text; it covers spans `first` to `last`. */
export interface RangeEdit {
  readonly first: number
  readonly last: number
  readonly line: number
  readonly startColumn: number
  readonly endColumn: number
  readonly text: string
}

/**
 * The edits that change the masked text of one layout into that of another, for a range of spans; all refer to the first
 * text.
 * There is at most one edit per line, from the first changed span to the last, since an editor renders a line for each edit.
 */
export function rangeEdits(
  source: string,
  spans: readonly LineSpan[],
  before: OutputLayout,
  after: OutputLayout,
  from = 0,
  until = spans.length,
): RangeEdit[] {
  const edits: RangeEdit[] = []
  let first: number | undefined
  let last = 0
  const finish = () => {
    if (first === undefined) return
    edits.push({
      first,
      last,
      line: (spans[first] as LineSpan).line,
      startColumn: before.columns[first] as number,
      endColumn: (before.columns[last] as number) + (before.lengths[last] as number),
      text: textBetween(source, spans, after, first, last),
    })
    first = undefined
  }
  for (let index = from; index < until; index++) {
    if (before.texts[index] === after.texts[index]) continue
    const span = spans[index] as LineSpan
    if (first !== undefined && (spans[first] as LineSpan).line !== span.line) finish()
    first ??= index
    last = index
  }
  finish()
  return edits
}

/** The masked text from one span to another of the same line. */
function textBetween(
  source: string,
  spans: readonly LineSpan[],
  { texts }: OutputLayout,
  first: number,
  last: number,
): string {
  const pieces: string[] = []
  for (let index = first; index <= last; index++) {
    const { start, end } = spans[index] as LineSpan
    if (index > first) pieces.push(source.slice((spans[index - 1] as LineSpan).end, start))
    pieces.push(texts[index] ?? source.slice(start, end))
  }
  return pieces.join('')
}

/** Index of the first span on a line or below it. */
export function firstSpanOnLine(spans: readonly LineSpan[], line: number): number {
  return partitionPoint(0, spans.length, (index) => (spans[index] as LineSpan).line < line)
}

type Convert = (spans: readonly LineSpan[], layout: OutputLayout, at: TextPosition) => TextPosition

/** Converts a source position to the masked text; inside a replaced span, to the start of the span. */
export const toOutput: Convert = (spans, layout, at) => converted(spans, layout, at, true)

/** Converts a position in the masked text to the source; inside a placeholder, to the start of the span. */
export const toSource: Convert = (spans, layout, at) => converted(spans, layout, at, false)

function converted(
  spans: readonly LineSpan[],
  { columns, lengths, texts }: OutputLayout,
  { line, column }: TextPosition,
  isInSource: boolean,
): TextPosition {
  /** Where a span is in the source, or its text in the output. */
  const placeOf = (index: number, isSource: boolean) => {
    const { start, end, column } = spans[index] as LineSpan
    if (isSource) return { start: column, length: end - start }
    return { start: columns[index] as number, length: lengths[index] as number }
  }
  const first = firstSpanOnLine(spans, line)
  const end = firstSpanOnLine(spans, line + 1)
  const isBefore = (index: number) => placeOf(index, isInSource).start <= column
  const at = partitionPoint(first, end, isBefore) - 1
  if (at < first) return { line, column }
  const [from, to] = [placeOf(at, isInSource), placeOf(at, !isInSource)]
  const inside = column - from.start
  if (inside >= from.length) return { line, column: to.start + to.length + inside - from.length }
  return { line, column: texts[at] === undefined ? to.start + inside : to.start }
}
