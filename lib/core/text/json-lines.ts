import type { Offset, Span } from './span'

/** A line of a JSON Lines text that is not blank; `number` counts from 1 and counts blank lines too. */
export interface TextLine extends Span {
  readonly number: number
}

const BYTE_ORDER_MARK = 0xfeff

/** Where the text proper starts: 1 after a byte order mark, else 0. */
export function textStart(text: string): Offset {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
}

/** The lines of a text that hold more than white space; the spans leave out line ends. */
export function nonBlankLines(text: string): TextLine[] {
  const lines: TextLine[] = []
  let start = textStart(text)
  let number = 1
  while (start <= text.length) {
    const lineFeed = text.indexOf('\n', start)
    const next = lineFeed === -1 ? text.length : lineFeed
    const end = text.charCodeAt(next - 1) === 13 && next > start ? next - 1 : next
    if (
      /\S/.test(text.slice(start, Math.min(end, start + 200))) ||
      text.slice(start, end).trim() !== ''
    ) {
      lines.push({ start, end, number })
    }
    start = next + 1
    number++
  }
  return lines
}
