/** Tests of the text at an offset. None of them moves the parser. */
import type { Offset } from '../../text/span'
import type { Parser } from './parser'

export const DOUBLE_QUOTES = '"“”„‟″'
export const SINGLE_QUOTES = "'‘’‚‛`´"

/** Longest key that is recognised. These tests run for every quote, so they must be cheap. */
const MAX_LOOKAHEAD = 200

const WHITE = /\s|\u200b|\u200c|\u200d|\u2060|\ufeff|\u180e/

export function isWhite(text: string, at: Offset): boolean {
  const code = text.charCodeAt(at)
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  return code > 126 && WHITE.test(text[at] as string)
}

export function isQuote(character: string | undefined): boolean {
  return (
    character !== undefined &&
    (DOUBLE_QUOTES.includes(character) || SINGLE_QUOTES.includes(character))
  )
}

/** True if `character` may close a string opened with `opening`. */
export function isClosingQuote(opening: string, character: string): boolean {
  if (opening === '"' || opening === "'") return character === opening
  if (DOUBLE_QUOTES.includes(opening)) return DOUBLE_QUOTES.includes(character)
  return SINGLE_QUOTES.includes(character)
}

/** What a sticky pattern matches at an offset; undefined if it does not match there. */
export function matchAt(pattern: RegExp, text: string, at: Offset): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

export function skipWhite(text: string, from: Offset): Offset {
  let at = from
  while (at < text.length && isWhite(text, at)) at++
  return at
}

/** Moves `end` before the white space that precedes it, but not before `from`. */
export function trimmedEnd(text: string, from: Offset, end: Offset): Offset {
  let at = end
  while (at > from && isWhite(text, at - 1)) at--
  return at
}

/** Skips white space and one comment, if the comment is short enough. */
export function skipToToken(text: string, from: Offset): Offset {
  const at = skipWhite(text, from)
  const isBlock = text[at + 1] === '*'
  if (text[at] !== '/' || (!isBlock && text[at + 1] !== '/')) return at
  const start = isBlock ? at + 2 : at
  const reach = text.slice(start, start + MAX_LOOKAHEAD)
  const end = isBlock ? reach.indexOf('*/') : reach.search(/[\r\n]/)
  if (end >= 0) return skipWhite(text, start + end + (isBlock ? 2 : 0))
  return start + MAX_LOOKAHEAD >= text.length ? text.length : at
}

/** Offset of the closing quote on the same line and within `MAX_LOOKAHEAD`; -1 if there is none. */
export function closingQuoteOf(text: string, at: Offset): Offset {
  const opening = text[at] as string
  const limit = Math.min(text.length, at + MAX_LOOKAHEAD)
  for (let next = at + 1; next < limit; next++) {
    const character = text[next] as string
    if (character === '\\') next++
    else if (character === '\n') return -1
    else if (isClosingQuote(opening, character)) return next
  }
  return -1
}

function isColon(text: string, at: Offset): boolean {
  return text[at] === ':' || text[at] === '：'
}

/** True if a quoted key and a colon start at `at`. */
export function isQuotedKeyAt(text: string, at: Offset): boolean {
  if (!isQuote(text[at])) return false
  let end = closingQuoteOf(text, at)
  if (end < 0) return false
  // `""name"":`, doubled quotes.
  if (end === at + 1 && /\w/.test(text[end + 1] ?? '')) {
    end = closingQuoteOf(text, end)
    if (end < 0) return false
    if (isClosingQuote(text[at] as string, text[end + 1] ?? ' ')) end++
  }
  return isColon(text, skipWhite(text, end + 1))
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$.-]{0,220}/uy

/** End of the bare name at `at`; `at` if there is none. */
export function nameEnd(text: string, at: Offset): Offset {
  return at + (matchAt(NAME, text, at)?.length ?? 0)
}

/** True if a bare key and a colon start at `at`; `https://` is not a key. */
export function isBareKeyAt(text: string, at: Offset): boolean {
  const end = nameEnd(text, at)
  if (end === at || end - at > MAX_LOOKAHEAD) return false
  const colon = skipWhite(text, isQuote(text[end]) ? end + 1 : end)
  return isColon(text, colon) && !(text[colon + 1] === '/' && text[colon + 2] === '/')
}

/** True if bare words, then a quoted key and a colon start at `at`: `NOTE "name":`. */
export function isWordsThenKeyAt(text: string, at: Offset): boolean {
  const words = text.slice(at, at + MAX_LOOKAHEAD)
  const match = /^[\p{L}_][\p{L}\p{N}_ \t-]*/u.exec(words)
  return match !== null && isQuotedKeyAt(text, at + match[0].length)
}

/** True if a property starts at `at`, with or without quotes around its key. */
export function isKeyAt(text: string, at: Offset): boolean {
  return isQuotedKeyAt(text, at) || isBareKeyAt(text, at) || isWordsThenKeyAt(text, at)
}

const LITERAL = /(?:true|false|null|True|False|None|NaN|nan|Infinity|undefined)(?![\p{L}\p{N}_])/uy

export function isLiteralAt(text: string, at: Offset): boolean {
  return matchAt(LITERAL, text, at) !== undefined
}

/** First closing bracket after `from` whose opening bracket is before `from`; undefined if there is none. */
export function firstUnmatchedBracket(parser: Parser, from: Offset): '}' | ']' | undefined {
  const { text } = parser
  let depth = 0
  for (let at = from; at < text.length && parser.scan(); at++) {
    const character = text[at]
    if (character === '"') at = Math.max(at, closingQuoteOf(text, at))
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && depth-- === 0) return character
  }
  return undefined
}

/** Offset at which the bracket at `at` closes, if the string that starts at `from` surely continues after it. */
export function unescapedJsonEnd(parser: Parser, from: Offset, at: Offset): Offset | undefined {
  const { text } = parser
  const first = skipWhite(text, at + 1)
  if (text[first] !== '"') return undefined
  // An array must be the entire content: words between quotes and commas are handled one by one.
  const isList = text[at] === '['
  if (isList ? skipWhite(text, from) !== at : !isQuotedKeyAt(text, first)) return undefined
  const isBeforeQuote = (close: Offset) => text[skipWhite(text, close + 1)] === '"'
  const jsonClose = closeAsJson(parser, at)
  if (jsonClose !== undefined && isBeforeQuote(jsonClose)) return jsonClose
  const close = closingBrackets(parser)[at] as Offset
  if (close === 0 || close > parser.lastQuote) return undefined
  return isList && !isBeforeQuote(close) ? undefined : close
}

/** Offset of the closing bracket, if quotes and backslashes mean what they mean in JSON. */
function closeAsJson(parser: Parser, start: Offset): Offset | undefined {
  const { text } = parser
  let depth = 0
  let isInString = false
  for (let at = start; at < text.length; at++) {
    if (!parser.scan()) return undefined
    const character = text[at]
    if (character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      if (--depth === 0) return at
    }
  }
  return undefined
}

/** Offset of the closing bracket by that of the opening one, 0 if there is none. Ignores strings. */
function closingBrackets(parser: Parser): Int32Array {
  const { text } = parser
  if (parser.closings !== undefined) return parser.closings
  const closings = new Int32Array(text.length)
  const braces: Offset[] = []
  const brackets: Offset[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') braces.push(at)
    else if (character === '[') brackets.push(at)
    else if (character === '}' || character === ']') {
      const start = (character === '}' ? braces : brackets).pop()
      if (start !== undefined) closings[start] = at
    }
  }
  parser.closings = closings
  return closings
}
