/** Finds the end of a string with unreliable quotes: a quote ends it if the text after it fits the grammar. */
import type { Offset } from '../../text/span'
import { isClosingQuote, isQuote } from './lookahead'
import { CannotParse, MAX_FULL_SCANS, type Parser, type ValueSlot } from './parser'
import { type StringEnd, unclosedStringEnd } from './unclosed-string'

const CHARS_BETWEEN_CHECKS = 65_536
/** Characters searched for the colon of a name, and for a line end before a plus sign. */
const LONGEST_NAME = 200
const LINES_BEFORE = 2000

/** Finds the end of the string whose content starts at `from`, after the quote `opening`. */
export function findStringEnd(parser: Parser, opening: string, from: Offset, slot: ValueSlot) {
  const { text } = parser
  let escapedEnd: Offset | undefined
  let isEscapedPaired = true
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    if ((at - from) % CHARS_BETWEEN_CHECKS === 0) parser.checkTime()
    if (character === '\\') {
      at++
      if (parser.isTrustingQuotes || text[at] !== opening) continue
      // The second of two escaped quotes closes a quotation inside the string.
      if (isEscapedPaired && escapedEnd === undefined && isAfterEnd(parser, at, slot))
        escapedEnd = at
      isEscapedPaired = !isEscapedPaired
      continue
    }
    if ((character === '{' || character === '[') && !parser.isTrustingQuotes && slot !== 'key') {
      at = parser.unescapedJsonEnd(from, at) ?? at
      continue
    }
    if (!isClosingQuote(opening, character)) continue
    if (parser.isTrustingQuotes) return closed(at)
    const earlyEnd = earlierEnd(parser, from, at, slot)
    if (earlyEnd !== undefined && earlyEnd - 1 === escapedEnd) return closed(escapedEnd)
    if (earlyEnd !== undefined)
      return { end: earlyEnd, next: earlyEnd, isClosed: false, isCutOff: false }
    if (isDoubledEnd(parser, from, at, slot)) return { ...closed(at), next: at + 2 }
    if (isEnd(parser, opening, from, at, slot)) return closed(at)
    // `"a +" "b"`: jsonrepair joins strings across a comment or a plus sign.
    if (text[at - 1] === '/' && text[at - 2] === '*') throw new CannotParse()
  }
  if (parser.isTrustingQuotes || ++parser.fullScans > MAX_FULL_SCANS) throw new CannotParse()
  if (escapedEnd !== undefined) return closed(escapedEnd)
  return unclosedStringEnd(parser, from, slot)
}

function closed(at: Offset): StringEnd {
  return { end: at, next: at + 1, isClosed: true, isCutOff: false }
}

/** True if the escaped quote at `at` would end the string: `"C:\dir\", "next": 1`. */
function isAfterEnd(parser: Parser, at: Offset, slot: ValueSlot): boolean {
  if (slot === 'root' || slot === 'key') return false
  const { text } = parser
  const next = parser.skipWhite(at + 1)
  if (text[next] === ',') return parser.isKeyAt(parser.skipWhite(next + 1))
  return (text[next] === '}' || text[next] === ']') && skipClosers(parser, next) === text.length
}

/** End of the string, if the quote at `at` opens the next one: before a comma, line end or colon. */
function earlierEnd(parser: Parser, from: Offset, at: Offset, slot: ValueSlot): Offset | undefined {
  const { text } = parser
  const before = parser.trimmedEnd(from, at)
  if (before === from) return undefined
  const previous = text[before - 1]
  if (slot === 'key') {
    // `"a: ["b"`
    let colon = before
    while (/[\s[{]/.test(text.charAt(colon - 1))) colon--
    if (colon > from && text[colon - 1] === ':') return parser.trimmedEnd(from, colon - 1)
    // `"a: 1, "b": 2`
    const first = text.slice(from, Math.min(at, from + LONGEST_NAME)).indexOf(':')
    const isNext = previous === ',' && first >= 0 && parser.isQuotedKeyAt(at)
    return isNext ? parser.trimmedEnd(from, from + first) : undefined
  }
  if (slot === 'root') return undefined
  const isAfterComma = previous === ','
  if (isAfterComma || text.slice(before, at).includes('\n')) {
    const fits = slot === 'property' ? parser.isQuotedKeyAt(at) : isElementAt(parser, at)
    if (fits) return parser.trimmedEnd(from, isAfterComma ? before - 1 : before)
  }
  return undefined
}

/** True if a complete quoted element, and a comma or bracket after it, start at `at`. */
function isElementAt(parser: Parser, at: Offset): boolean {
  const { text } = parser
  const end = parser.closingQuoteOf(at)
  if (end < 0) return false
  // The quote at `at` may close a well-formed string.
  const glued = text[at + 1]
  if (glued === undefined || ',]}'.includes(glued) || parser.isWhite(at + 1)) return false
  const next = text[parser.skipWhite(end + 1)]
  return next === ',' || next === ']'
}

/** Skips closing brackets and the white space between them. */
function skipClosers(parser: Parser, from: Offset): Offset {
  const { text } = parser
  let at = from
  while (at < text.length && (text[at] === '}' || text[at] === ']' || parser.isWhite(at))) at++
  return at
}

/** True for a doubled closing quote after a key without other quotes: `"name"":`. */
function isDoubledEnd(parser: Parser, from: Offset, at: Offset, slot: ValueSlot): boolean {
  const { text } = parser
  if (slot !== 'key' || at === from || text[at + 1] !== text[at]) return false
  return text[parser.skipWhite(at + 2)] === ':' && !text.slice(from, at).includes('"')
}

function isEnd(parser: Parser, opening: string, from: Offset, at: Offset, slot: ValueSlot) {
  const { text, stack } = parser
  const next = parser.skipToToken(at + 1)
  const character = text[next]
  if (character === undefined) return true
  if (at === from && ',]}'.includes(character)) return true
  const isOnOneLine = () => !text.slice(Math.max(from, at - LINES_BEFORE), at).includes('\n')
  if (character === '+' && isQuote(text[parser.skipToToken(next + 1)]) && isOnOneLine())
    throw new CannotParse()
  if (isQuote(character)) return isEndBeforeQuote(parser, opening, at, next, slot)
  switch (character) {
    case ':':
    case '：':
      return slot === 'key' || slot === 'element' || slot === 'root'
    case '=':
      return slot === 'key'
    case '}':
    case ']':
      return slot !== 'root'
        ? isEndBeforeClosers(parser, next)
        : skipClosers(parser, next) === text.length
    case ',':
      return isEndBeforeComma(parser, next, slot)
    case ')':
      return stack.at(-1)?.style === 'tuple' || isInKeywordArguments(parser)
    case ';':
      return stack.length === 0
  }
  const hasSpaceBefore = next > at + 1
  if (slot === 'property') return isPropertyAfter(parser, at, next, hasSpaceBefore)
  return slot !== 'root' && isValueAfter(parser, next, hasSpaceBefore, slot)
}

function isEndBeforeClosers(parser: Parser, from: Offset): boolean {
  const { text, lastQuote } = parser
  const next = skipClosers(parser, from)
  const character = text[next]
  if (character === undefined || ',;)<{['.includes(character)) return true
  // `"print $1, "x"}' file"`: the single quote is part of the string.
  if (isQuote(character))
    return (
      character !== "'" || parser.isQuotedKeyAt(next) || parser.skipWhite(next + 1) === text.length
    )
  if (text.startsWith('```', next) || text.startsWith('//', next) || text.startsWith('/*', next))
    return true
  if (text.slice(from, next).includes('\n') || parser.isKeyAt(next)) return true
  // `{"a": "b"} and so on`: words follow, and no later quote could close this string.
  return parser.isWhite(next - 1) && lastQuote < next
}

/** True inside Python keyword arguments: `search(query="text", limit=3)`. */
function isInKeywordArguments({ stack }: Parser): boolean {
  return stack.length === 1 && stack[0]?.style === 'implicit'
}

function isEndBeforeComma(parser: Parser, comma: Offset, slot: ValueSlot): boolean {
  const { text } = parser
  let next = comma
  while (text[next] === ',') next = parser.skipToToken(next + 1)
  const character = text[next]
  if (character === undefined || character === '}' || character === ']' || slot === 'key')
    return true
  if (text.startsWith('...', next)) return true
  if (slot === 'property') {
    if (isQuote(character)) {
      if (parser.isQuotedKeyAt(next)) return true
      const end = parser.closingQuoteOf(next)
      if (end < 0) return true
      // A key without its colon, `"a": "b", "c" 2`, or cut off before it.
      const value = parser.skipWhite(end + 1)
      return value === text.length || (value > end + 1 && /[\d{[]/.test(text[value] as string))
    }
    if (character === '{' || character === '[') return true
    // A number as a key: `5: "text"`.
    if (/^\d{1,15}\s{0,4}:\s{0,4}["'{[]/.test(text.slice(next, next + 30))) return true
    if (isInKeywordArguments(parser) && text[parser.nameEnd(next)] === '=') return true
    return parser.isBareKeyAt(next) || parser.isWordsThenKeyAt(next)
  }
  if (isQuote(character) || '{[(-'.includes(character) || /\d/.test(character)) return true
  return (
    parser.isLiteralAt(next) || /^[\w .-]{0,100}(?:[,\]}]|$)/.test(text.slice(next, next + 120))
  )
}

function isEndBeforeQuote(
  parser: Parser,
  opening: string,
  at: Offset,
  next: Offset,
  slot: ValueSlot,
): boolean {
  const { text } = parser
  if (slot === 'key') return next > at + 1 || !isClosingQuote(opening, text[next] as string)
  if (slot === 'property') return parser.isQuotedKeyAt(next)
  if (slot === 'root') return false
  // If the next quote closes a string, this one is inside that string.
  const after = text[parser.skipWhite(next + 1)]
  return after !== undefined && after !== ',' && after !== ']' && after !== '}'
}

/** True if a property without a comma before it starts at `next`: a bare key, or unquoted words. */
function isPropertyAfter(parser: Parser, at: Offset, next: Offset, hasSpaceBefore: boolean) {
  const { text } = parser
  if (!hasSpaceBefore) return false
  const hasLineEnd = text.slice(at, next).includes('\n')
  if (hasLineEnd && parser.isBareKeyAt(next)) return true
  if (text[next] === '{' || text[next] === '[') return false
  return (
    parser.isWordsThenKeyAt(next) ||
    /^[\p{L}\p{N}_ ]{1,60}[}\]]\s*$/u.test(text.slice(next, next + 80))
  )
}

/** True if the value of a key without its colon, or an element without a comma before it, starts at `next`. */
function isValueAfter(
  parser: Parser,
  next: Offset,
  hasSpaceBefore: boolean,
  slot: 'key' | 'element',
): boolean {
  const { text } = parser
  if (text[next] === '{' || text[next] === '[') return true
  const number = slot === 'key' ? /^[\d-]/ : /^-?\d[\d.eE+-]*\s*(?:[,\]}"']|$)/
  const isNumber = number.test(text.slice(next, next + 40))
  return hasSpaceBefore && (isNumber || parser.isLiteralAt(next))
}
