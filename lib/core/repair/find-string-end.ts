/**
 * Where a string ends when its quotes cannot be trusted: quotes inside it that nothing escapes, a closing
 * quote that is missing, or a backslash before it. A quote ends the string if what follows fits the place.
 */
import type { Offset } from '../text/span'
import { embeddedEnd } from './embedded-value'
import {
  closingQuoteOf,
  isBareKeyAt,
  isClosingQuote,
  isKeyAt,
  isLiteralAt,
  isNumberKeyAt,
  isQuote,
  isQuotedKeyAt,
  isWhite,
  isWordsThenKeyAt,
  nameEnd,
  skipToToken,
  skipWhite,
} from './look-ahead'
import { CannotRead, MAX_FULL_SCANS, type Place, type Reading } from './reading'
import { type StringEnd, trimmedEnd, unclosedEnd } from './unclosed-end'

/** Finds the end of the string whose content begins at `from`, after the quote `opening`. */
export function findStringEnd(
  reading: Reading,
  opening: string,
  from: Offset,
  place: Place,
): StringEnd {
  const { text } = reading
  let escapedEnd: Offset | undefined
  let isEscapedPaired = true
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    if (character === '\\') {
      at++
      if (reading.isTrusting || text[at] !== opening) continue
      // The second of two escaped quotes closes what the first opened within the string.
      if (isEscapedPaired && escapedEnd === undefined && isAfterEnd(reading, at, place))
        escapedEnd = at
      isEscapedPaired = !isEscapedPaired
      continue
    }
    if ((character === '{' || character === '[') && !reading.isTrusting && place !== 'key') {
      at = embeddedEnd(reading, from, at) ?? at
      continue
    }
    if (!isClosingQuote(opening, character)) continue
    if (reading.isTrusting) return closed(at)
    const early = earlierEnd(text, from, at, place)
    if (early !== undefined && early - 1 === escapedEnd) return closed(escapedEnd)
    if (early !== undefined) return { end: early, next: early, isClosed: false, isCutOff: false }
    if (isDoubledEnd(reading, from, at, place)) return { ...closed(at), next: at + 2 }
    if (isEnd(reading, opening, from, at, place)) return closed(at)
    // `"a +" "b"`: strings joined over a comment or a plus sign are jsonrepair's business.
    if (text[at - 1] === '/' && text[at - 2] === '*') throw new CannotRead()
  }
  if (reading.isTrusting || ++reading.fullScans > MAX_FULL_SCANS) throw new CannotRead()
  if (escapedEnd !== undefined) return closed(escapedEnd)
  return unclosedEnd(reading, from, place)
}

function closed(at: Offset): StringEnd {
  return { end: at, next: at + 1, isClosed: true, isCutOff: false }
}

/** Whether the quote before which a backslash stands would end the string: for `"C:\dir\", "next": 1`. */
function isAfterEnd(reading: Reading, at: Offset, place: Place): boolean {
  if (place === 'root' || place === 'key') return false
  const { text } = reading
  const next = skipWhite(text, at + 1)
  if (text[next] === ',') return isKeyAt(text, skipWhite(text, next + 1))
  return (text[next] === '}' || text[next] === ']') && skipClosers(text, next) === text.length
}

/** The quote at `at` opens something else: the string ended before the comma, line end or colon before it. */
function earlierEnd(text: string, from: Offset, at: Offset, place: Place): Offset | undefined {
  let before = at
  while (before > from && isWhite(text, before - 1)) before--
  if (before === from) return undefined
  const previous = text[before - 1]
  if (place === 'key') return previous === ':' ? trimmedEnd(text, from, before - 1) : undefined
  if (place === 'root') return undefined
  const isAfterComma = previous === ','
  if (isAfterComma || text.slice(before, at).includes('\n')) {
    const fits = place === 'property' ? isQuotedKeyAt(text, at) : isElementAt(text, at)
    if (fits) return trimmedEnd(text, from, isAfterComma ? before - 1 : before)
  }
  return undefined
}

/** Whether a whole quoted element and what may follow one stand at `at`. */
function isElementAt(text: string, at: Offset): boolean {
  const end = closingQuoteOf(text, at)
  if (end < 0) return false
  // The quote at `at` may itself be the closing one of a well-formed string.
  const glued = text[at + 1]
  if (
    glued === undefined ||
    glued === ',' ||
    glued === ']' ||
    glued === '}' ||
    isWhite(text, at + 1)
  )
    return false
  const next = text[skipWhite(text, end + 1)]
  return next === ',' || next === ']'
}

/** Past closing brackets and the white space between them. */
function skipClosers(text: string, from: Offset): Offset {
  let at = from
  while (at < text.length && (text[at] === '}' || text[at] === ']' || isWhite(text, at))) at++
  return at
}

/** `"name"":`, when no other quote stands in the name. */
function isDoubledEnd({ text }: Reading, from: Offset, at: Offset, place: Place): boolean {
  if (place !== 'key' || at === from || text[at + 1] !== text[at]) return false
  return text[skipWhite(text, at + 2)] === ':' && !text.slice(from, at).includes('"')
}

function isEnd(reading: Reading, opening: string, from: Offset, at: Offset, place: Place): boolean {
  const { text, stack } = reading
  const next = skipToToken(text, at + 1)
  const character = text[next]
  if (character === undefined) return true
  if (at === from && ',]}'.includes(character)) return true
  if (character === '+' && isQuote(text[skipToToken(text, next + 1)])) throw new CannotRead()
  if (isQuote(character)) return isEndBeforeQuote(reading, opening, at, next, place)
  switch (character) {
    case ':':
    case '：':
      return place === 'key' || place === 'element' || place === 'root'
    case '=':
      return place === 'key'
    case '}':
    case ']':
      return place !== 'root'
        ? isEndBeforeClosers(reading, next)
        : skipClosers(text, next) === text.length
    case ',':
      return isEndBeforeComma(reading, next, place)
    case ')':
      return stack.at(-1)?.style === 'tuple' || isKeywords(reading)
    case ';':
      return stack.length === 0
  }
  if (text.startsWith('```', next)) return skipWhite(text, next + 3) === text.length
  const isApart = next > at + 1
  if (place === 'key') return isValueAfterKey(text, next, isApart)
  if (place === 'property') return isPropertyAfter(text, at, next, isApart)
  if (place === 'element') return isElementAfter(text, next, isApart)
  return false
}

function isEndBeforeClosers({ text, lastQuote }: Reading, from: Offset): boolean {
  const next = skipClosers(text, from)
  const character = text[next]
  if (character === undefined || ',;)<{['.includes(character) || isQuote(character)) return true
  if (text.startsWith('```', next) || text.startsWith('//', next) || text.startsWith('/*', next))
    return true
  if (text.slice(from, next).includes('\n') || isKeyAt(text, next)) return true
  // `{"a": "b"} and so on`: words follow, and no quote that this one could be inside of.
  return isWhite(text, next - 1) && lastQuote < next
}

/** Within `search(query="text", limit=3)`. */
function isKeywords({ stack }: Reading): boolean {
  return stack.length === 1 && stack[0]?.style === 'implicit'
}

function isEndBeforeComma(reading: Reading, comma: Offset, place: Place): boolean {
  const { text } = reading
  let next = comma
  while (text[next] === ',') next = skipToToken(text, next + 1)
  const character = text[next]
  if (character === undefined || character === '}' || character === ']' || place === 'key')
    return true
  if (text.startsWith('...', next)) return true
  if (place === 'property') {
    if (isQuote(character)) {
      if (isQuotedKeyAt(text, next)) return true
      const end = closingQuoteOf(text, next)
      if (end < 0) return true
      // A name without its colon, `"a": "b", "c" 2`, or cut off before it.
      const value = skipWhite(text, end + 1)
      return value === text.length || (value > end + 1 && /[\d{[]/.test(text[value] as string))
    }
    if (character === '{' || character === '[' || isNumberKeyAt(text, next)) return true
    if (isKeywords(reading) && text[nameEnd(text, next)] === '=') return true
    return isBareKeyAt(text, next) || isWordsThenKeyAt(text, next)
  }
  if (isQuote(character) || '{[(-'.includes(character) || /\d/.test(character)) return true
  return isLiteralAt(text, next) || /^[\w .-]{0,100}(?:[,\]}]|$)/.test(text.slice(next, next + 120))
}

function isEndBeforeQuote(
  reading: Reading,
  opening: string,
  at: Offset,
  next: Offset,
  place: Place,
): boolean {
  const { text } = reading
  if (place === 'key') return next > at + 1 || !isClosingQuote(opening, text[next] as string)
  if (place === 'property') return isQuotedKeyAt(text, next)
  if (place === 'root') return false
  // Where the next quote closes something, this one stands inside.
  const after = text[skipWhite(text, next + 1)]
  return after !== undefined && after !== ',' && after !== ']' && after !== '}'
}

function isValueAfterKey(text: string, next: Offset, isApart: boolean): boolean {
  const character = text[next] as string
  if ('{['.includes(character)) return true
  if (!isApart) return false
  return /[\d-]/.test(character) || isLiteralAt(text, next)
}

/** What may follow a value in an object without a comma: a bare name, or words nothing quotes. */
function isPropertyAfter(text: string, at: Offset, next: Offset, isApart: boolean): boolean {
  if (!isApart) return false
  const hasLineEnd = text.slice(at, next).includes('\n')
  if (hasLineEnd && isBareKeyAt(text, next)) return true
  if (text[next] === '{' || text[next] === '[') return false
  return (
    isWordsThenKeyAt(text, next) ||
    /^[\p{L}\p{N}_ ]{1,60}[}\]]\s*$/u.test(text.slice(next, next + 80))
  )
}

function isElementAfter(text: string, next: Offset, isApart: boolean): boolean {
  const character = text[next] as string
  if (character === '{' || character === '[') return true
  if (!isApart) return false
  return (
    isLiteralAt(text, next) || /^-?\d[\d.eE+-]*\s*(?:[,\]}"']|$)/.test(text.slice(next, next + 40))
  )
}
