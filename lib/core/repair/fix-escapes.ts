import type { Offset } from '../text/span'
import { fix, type Reading } from './reading'

const KNOWN = '"\\/bfnrt'
const FOUR_HEX = /^[0-9a-fA-F]{4}$/

/** The text an escape stands in. */
interface Content {
  readonly from: Offset
  readonly end: Offset
  /** Cut off before its closing quote. */
  readonly isOpen: boolean
  /** Letters that are no escapes here, see `rawLetters`. */
  readonly raw: string
}

/**
 * Puts the escape at `at` right; returns where the content goes on.
 * What JSON does not know keeps its backslash, doubled, since patterns and paths are written so.
 */
export function fixEscape(reading: Reading, at: Offset, content: Content): Offset {
  const { text } = reading
  const { from, end, isOpen, raw } = content
  const letter = text[at + 1]
  if (letter === undefined || at + 1 >= end) {
    if (isOpen) fix(reading, 'truncated_input', at, end, '')
    // The quote behind it was taken for the end.
    else fix(reading, 'bad_escapes', at, at + 1, '\\\\', 'guess')
    return end
  }
  if (raw.includes(letter)) {
    fix(reading, 'bad_escapes', at, at + 1, '\\\\', 'guess')
    return at + 2
  }
  if (letter === 'u') return fixUnicode(reading, at, content)
  if (KNOWN.includes(letter)) return at + 2
  const hex = text.slice(at + 2, Math.min(at + 4, end))
  if (letter === 'x' && /^[0-9a-fA-F]{2}$/.test(hex)) {
    fix(reading, 'bad_escapes', at, at + 4, `\\u00${hex}`)
    return at + 4
  }
  const isLoneLetter = at === from && at + 2 === end && !/[dDwWsSbB]/.test(letter)
  if (letter === "'" || letter === '`' || letter === '\n' || letter === '\r' || isLoneLetter) {
    fix(reading, 'bad_escapes', at, at + 1, '')
    return at + 1
  }
  fix(reading, 'bad_escapes', at, at + 1, '\\\\')
  return at + 1
}

function fixUnicode(reading: Reading, at: Offset, { end, isOpen }: Content): Offset {
  const digits = reading.text.slice(at + 2, Math.min(at + 6, end))
  if (FOUR_HEX.test(digits)) return at + 6
  if (isOpen && at + 6 > end && /^[0-9a-fA-F]*$/.test(digits)) {
    fix(reading, 'truncated_input', at, end, '')
    return end
  }
  fix(reading, 'bad_escapes', at, at + 1, '\\\\')
  return at + 1
}

/**
 * Reads on in a string that stands between `\\"` and `\\"`, taking one level of backslashes off.
 * Returns where the closing pair stands; undefined when none does or the backslashes do not add up.
 */
export function fixEscapedContent(reading: Reading, from: Offset): Offset | undefined {
  const { text } = reading
  let at = from
  while (at < text.length) {
    if (text[at] !== '\\') {
      at++
      continue
    }
    const start = at
    while (text[at] === '\\') at++
    const count = at - start
    const left = count >> 1
    const isOdd = count % 2 === 1
    if (text[at] === '"') {
      if (isOdd && left % 2 === 0) {
        if (left > 0) fix(reading, 'escaped_quotes', start, at - 1, '\\'.repeat(left))
        return at - 1
      }
      if (left % 2 === 0) return undefined
      fix(reading, 'escaped_quotes', start, at, '\\'.repeat(left))
      at++
    } else if (!isOdd) fix(reading, 'escaped_quotes', start, at, '\\'.repeat(left))
    else if (count > 1) return undefined
    else at = fixEscape(reading, start, { from, end: text.length, isOpen: false, raw: '' })
  }
  return undefined
}
