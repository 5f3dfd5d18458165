import type { Offset } from '../../text/span'
import { addFix, type Parser } from './parser'

const NAMED: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Makes a string's content valid between double quotes. `opening` is undefined if the string has no quote. */
export function fixStringContent(
  parser: Parser,
  from: Offset,
  end: Offset,
  opening: string | undefined,
  isCutOff = false,
): void {
  const { text } = parser
  let raw: string | undefined
  let at = from
  while (at < end) {
    const code = text.charCodeAt(at)
    if (code === 92) {
      if (opening === undefined) at = doubleBackslash(parser, at)
      else {
        raw ??= literalLetters(text, from, end, isCutOff)
        at = fixEscape(parser, at, { from, end, isCutOff, raw })
      }
      continue
    }
    if (code < 32) {
      const character = text[at] as string
      const escaped = NAMED[character] ?? `\\u${code.toString(16).padStart(4, '0')}`
      addFix(parser, 'control_characters', at, at + 1, escaped)
    } else if (code === 34) {
      // A double quote is allowed in single quotes; only its spelling changes.
      const strategy = opening === "'" ? 'single_quoted_values' : 'inner_quotes'
      addFix(parser, strategy, at, at + 1, '\\"')
    }
    at++
  }
}

function doubleBackslash(parser: Parser, at: Offset): Offset {
  addFix(parser, 'bad_escapes', at, at + 1, '\\\\')
  return at + 1
}

const KNOWN = '"\\/bfnrt'
const FOUR_HEX = /^[0-9a-fA-F]{4}$/

interface Content {
  readonly from: Offset
  readonly end: Offset
  /** True if the text ends before the closing quote. */
  readonly isCutOff: boolean
  /** Letters that do not form an escape here; see `literalLetters`. */
  readonly raw: string
}

/**
 * Fixes the escape at `at` and returns the offset after it. Unknown escapes are literal backslashes, as in patterns.
 */
function fixEscape(parser: Parser, at: Offset, content: Content): Offset {
  const { text } = parser
  const { from, end, isCutOff, raw } = content
  const letter = text[at + 1]
  if (letter === undefined || at + 1 >= end) {
    if (isCutOff) addFix(parser, 'truncated_input', at, end, '')
    // The quote after it ends the string.
    else addFix(parser, 'bad_escapes', at, at + 1, '\\\\', 'guess')
    return end
  }
  if (raw.includes(letter)) {
    addFix(parser, 'bad_escapes', at, at + 1, '\\\\', 'guess')
    return at + 2
  }
  if (letter === 'u') return fixUnicode(parser, at, content)
  if (KNOWN.includes(letter)) return at + 2
  const hex = text.slice(at + 2, Math.min(at + 4, end))
  if (letter === 'x' && /^[0-9a-fA-F]{2}$/.test(hex)) {
    addFix(parser, 'bad_escapes', at, at + 4, `\\u00${hex}`)
    return at + 4
  }
  const isLoneLetter = at === from && at + 2 === end && !/[dDwWsSbB]/.test(letter)
  if (letter === "'" || letter === '`' || letter === '\n' || letter === '\r' || isLoneLetter) {
    addFix(parser, 'bad_escapes', at, at + 1, '')
    return at + 1
  }
  addFix(parser, 'bad_escapes', at, at + 1, '\\\\')
  return at + 1
}

function fixUnicode(parser: Parser, at: Offset, { end, isCutOff }: Content): Offset {
  const digits = parser.text.slice(at + 2, Math.min(at + 6, end))
  if (FOUR_HEX.test(digits)) return at + 6
  if (isCutOff && at + 6 > end && /^[0-9a-fA-F]*$/.test(digits)) {
    addFix(parser, 'truncated_input', at, end, '')
    return end
  }
  addFix(parser, 'bad_escapes', at, at + 1, '\\\\')
  return at + 1
}

/** Removes one level of backslashes up to the closing `\"` and returns its offset; undefined if there is none. */
export function fixEscapedContent(parser: Parser, from: Offset): Offset | undefined {
  const { text } = parser
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
        if (left > 0) addFix(parser, 'escaped_quotes', start, at - 1, '\\'.repeat(left))
        return at - 1
      }
      if (left % 2 === 0) return undefined
      addFix(parser, 'escaped_quotes', start, at, '\\'.repeat(left))
      at++
    } else if (!isOdd) addFix(parser, 'escaped_quotes', start, at, '\\'.repeat(left))
    else if (count > 1) return undefined
    else at = fixEscape(parser, start, { from, end: text.length, isCutOff: false, raw: '' })
  }
  return undefined
}

const DRIVE = /[A-Za-z]:\\[^\\]/y

/**
 * Letters that do not form an escape after a backslash between `from` and `end`. One invalid escape (`\d`, `\.`)
 * shows that the text was never escaped: then `\b` and `\f` are pattern syntax. In a Windows path such as `C:\new` no
 * letter forms an escape.
 */
function literalLetters(text: string, from: Offset, end: Offset, isCutOff: boolean): string {
  let isRaw = false
  for (let at = from; at < end; at++) {
    if (text[at] !== '\\') continue
    const letter = text[++at]
    if (at >= end) isRaw ||= !isCutOff
    else if (letter === '\\' || letter === '"' || letter === '/') return ''
    else if (letter !== undefined && !"bfnrtux'`\n\r".includes(letter)) isRaw = true
  }
  if (!isRaw) return ''
  DRIVE.lastIndex = from
  return DRIVE.test(text) ? 'bfnrtu' : 'bf'
}
