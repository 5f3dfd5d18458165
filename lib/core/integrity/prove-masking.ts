/**
 * Compares a masked text with its source and proves that only the strings of masked results differ. The comparison
 * reads the two texts alone; the edits that made the masked text only say where the differences must be.
 */
import type { MaskEdit } from '../mask/mask-document'
import type { Offset, TextSpan } from '../text/span'

/** `proven`: every difference is a masked string, and every masked string differs. */
export type MaskingProof =
  | { readonly state: 'proven'; readonly strings: number }
  | { readonly state: 'refuted'; readonly offset: Offset }

/** Proves or refutes that `output` is `source` with these strings replaced. The edits are in ascending order. */
export function proveMasking(
  source: string,
  output: string,
  edits: readonly MaskEdit[],
): MaskingProof {
  const expected = edits.filter(({ start, end, text }) => source.slice(start, end) !== text)
  const changes = changedStrings(source, output)
  if (typeof changes === 'number') return { state: 'refuted', offset: changes }
  let next = 0
  for (const { before, after } of changes) {
    const first = next
    const isInside = ({ start, end }: MaskEdit) => before.start <= start && end <= before.end
    while (next < expected.length && isInside(expected[next] as MaskEdit)) next++
    const inside = expected.slice(first, next)
    const level = inside.reduce((deepest, { encoded }) => Math.max(deepest, encoded), 0)
    const count = countStrings(
      source.slice(before.start, before.end),
      output.slice(after.start, after.end),
      level,
    )
    if (count !== inside.length) return { state: 'refuted', offset: before.start }
  }
  const missing = expected[next]
  if (missing !== undefined) return { state: 'refuted', offset: missing.start }
  return { state: 'proven', strings: expected.length }
}

interface ChangedString {
  readonly before: TextSpan
  readonly after: TextSpan
}

/** Returns the JSON strings that differ, or the offset in `before` of the first other difference. */
function changedStrings(before: string, after: string): ChangedString[] | Offset {
  const changes: ChangedString[] = []
  let at = 0
  let other = 0
  // A JSON string never spans lines, and a line that is not JSON cannot disturb the next one.
  for (;;) {
    const end = lineEnd(before, at)
    const otherEnd = lineEnd(after, other)
    if (before.slice(at, end) !== after.slice(other, otherEnd)) {
      const line = { start: at, end }
      const otherLine = { start: other, end: otherEnd }
      const offset = compareLines(before, line, after, otherLine, changes)
      if (offset !== undefined) return offset
    }
    if (end === before.length || otherEnd === after.length) {
      return end === before.length && otherEnd === after.length ? changes : end
    }
    at = end + 1
    other = otherEnd + 1
  }
}

/** Adds the strings that differ in a line; returns the offset of any other difference. */
function compareLines(
  before: string,
  line: TextSpan,
  after: string,
  otherLine: TextSpan,
  changes: ChangedString[],
): Offset | undefined {
  let at = line.start
  let other = otherLine.start
  for (;;) {
    const quote = indexIn(before, at, line.end)
    const otherQuote = indexIn(after, other, otherLine.end)
    if (before.slice(at, quote) !== after.slice(other, otherQuote)) return at
    if (quote === line.end || otherQuote === otherLine.end) {
      return quote === line.end && otherQuote === otherLine.end ? undefined : quote
    }
    at = stringEnd(before, quote, line.end)
    other = stringEnd(after, otherQuote, otherLine.end)
    if (before.slice(quote, at) !== after.slice(otherQuote, other)) {
      changes.push({ before: { start: quote, end: at }, after: { start: otherQuote, end: other } })
    }
  }
}

/** The number of strings that differ in two strings, `level` JSON texts deep; NaN if anything else differs. */
function countStrings(before: string, after: string, level: number): number {
  if (level === 0) return 1
  const inner = JSON.parse(before) as string
  const otherInner = JSON.parse(after) as string
  const changes = changedStrings(inner, otherInner)
  if (typeof changes === 'number') return Number.NaN
  let count = 0
  for (const change of changes) {
    const text = inner.slice(change.before.start, change.before.end)
    const otherText = otherInner.slice(change.after.start, change.after.end)
    count += countStrings(text, otherText, level - 1)
  }
  return count
}

function lineEnd(text: string, from: Offset): Offset {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** The next quotation mark; `end` if there is none before it. */
function indexIn(text: string, from: Offset, end: Offset): Offset {
  const index = text.indexOf('"', from)
  return index === -1 || index > end ? end : index
}

/** The end of the string that starts at a quotation mark; the end of the line if it is not closed. */
function stringEnd(text: string, start: Offset, end: Offset): Offset {
  let quote = indexIn(text, start + 1, end)
  while (quote < end && isEscaped(text, quote)) quote = indexIn(text, quote + 1, end)
  return Math.min(quote + 1, end)
}

function isEscaped(text: string, at: Offset): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
