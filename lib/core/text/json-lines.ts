import type { Offset, Span } from './span'

/** A line that is not blank; `number` counts all lines from 1. */
export interface TextLine extends Span {
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
