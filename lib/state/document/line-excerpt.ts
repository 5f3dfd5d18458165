import type { Offset } from '@/lib/core/text/span'
import { isWithinPair } from './clamp-text'

/** A part of one line, around a character. */
export interface LineExcerpt {
  readonly before: string
  /** The character; empty at the end of a line. */
  readonly found: string
  readonly after: string
}

const LINE_END = /[\r\n]/
/** UTF-16 units on each side. */
const REACH = 32

/** The line around an offset, cut to what fits a narrow screen, never within a surrogate pair. */
export function lineExcerpt(text: string, offset: Offset): LineExcerpt {
  const from = cutAt(text, Math.max(0, offset - REACH))
  const before = text.slice(from, offset).split(LINE_END).at(-1) ?? ''
  const code = text.codePointAt(offset)
  const found = code === undefined ? '' : String.fromCodePoint(code)
  if (found === '' || LINE_END.test(found)) return { before, found: '', after: '' }
  const start = offset + found.length
  const [after = ''] = text.slice(start, cutAt(text, start + REACH)).split(LINE_END, 1)
  return { before, found, after }
}

function cutAt(text: string, at: Offset): Offset {
  return isWithinPair(text, at) ? at - 1 : at
}
