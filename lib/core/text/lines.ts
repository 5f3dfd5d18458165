import { type Offset, partitionPoint, type TextSlices, type TextSpan } from './span'

/** A line that is not blank; `number` counts all lines from 1. */
export interface TextLine extends TextSpan {
  readonly number: number
}

const BYTE_ORDER_MARK = 0xfeff

/** Returns the offset after a byte order mark: 1 with a mark, 0 without. */
export function textStart(text: string): Offset {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
}

/** Returns the lines of a text from an offset on that are not blank; the spans exclude line ends. */
export function nonBlankLines(text: string, from?: Offset): TextLine[] {
  return [...eachNonBlankLine(text, from)]
}

/** The same lines, each found when it is asked for. */
export function* eachNonBlankLine(
  text: string,
  from: Offset = textStart(text),
): Generator<TextLine, void> {
  let start = from
  let number = 1
  while (start <= text.length) {
    const lineFeed = text.indexOf('\n', start)
    const next = lineFeed === -1 ? text.length : lineFeed
    const end = text.charCodeAt(next - 1) === 13 && next > start ? next - 1 : next
    if (
      /\S/.test(text.slice(start, Math.min(end, start + 200))) ||
      text.slice(start, end).trim() !== ''
    ) {
      yield { start, end, number }
    }
    start = next + 1
    number++
  }
}

/** A position by line and column, both from 1; the column is in UTF-16 code units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** Start offsets of the lines of a text, in ascending order; the first is 0. */
export interface LineIndex {
  readonly starts: readonly Offset[]
  readonly length: number
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Finds the start of each line; LF, CRLF and a lone CR end a line, as in editors. */
export function indexLines(text: string): LineIndex {
  const starts: Offset[] = [0]
  if (!text.includes('\r')) {
    // Searching is faster than looking at each character.
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
      starts.push(at + 1)
    return { starts, length: text.length }
  }
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code === CARRIAGE_RETURN && text.charCodeAt(offset + 1) === LINE_FEED) offset++
    else if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue
    starts.push(offset + 1)
  }
  return { starts, length: text.length }
}

/** True if a text has more lines than `most`; reads no more of it than that takes, `size` units at once. */
export function hasMoreLines(text: TextSlices, most: number, size = 1_000_000): boolean {
  let lines = 1
  for (let start = 0; start < text.length && lines <= most; start += size) {
    const part = text.slice(start, start + size)
    lines += indexLines(part).starts.length - 1
    const isPairCut = part.endsWith('\r') && text.slice(start + size, start + size + 1) === '\n'
    if (isPairCut) lines--
  }
  return lines > most
}

/** Returns the line and column of an offset; an offset past the end counts as the end. */
export function positionAt(index: LineIndex, offset: Offset): TextPosition {
  const target = Math.min(Math.max(offset, 0), index.length)
  const { starts } = index
  const line = partitionPoint(1, starts.length, (at) => (starts[at] as Offset) <= target)
  return { line, column: target - (starts[line - 1] as Offset) + 1 }
}

/** Returns the offset of a line and column; a line past the last counts as the end of the text. */
export function offsetAt(index: LineIndex, place: TextPosition): Offset {
  const start = index.starts[place.line - 1]
  if (start === undefined) return index.length
  const next = index.starts[place.line] ?? index.length + 1
  return Math.min(start + place.column - 1, next - 1)
}
