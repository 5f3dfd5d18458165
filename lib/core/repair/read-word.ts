import type { Offset } from '../text/span'
import { fixContent } from './fix-content'
import {
  isBareKeyAt,
  isClosingQuote,
  isLiteralAt,
  isQuote,
  isQuotedKeyAt,
  isWhite,
  isWordsThenKeyAt,
  skipWhite,
} from './look-ahead'
import { readString } from './read-string'
import { CannotRead, fix, type Place, type Reading, type ValueKind } from './reading'
import type { StrategyName } from './strategies'

const WORD = /[-+]?[\p{L}_][\p{L}\p{N}_]{0,200}/uy
const PLAIN_VALUE =
  /(?:(?:\/[\w.@-]{1,100}){1,40}\/?|[A-Za-z_][\w.]{0,60}\([\w.:+ -]{1,60}(?:,[\w.:+ -]{1,60}){1,20}\))(?=\s{0,20}[,}\]])/y
const LITERALS = new Set(['true', 'false', 'null'])

/** Words other languages have for what JSON spells otherwise. No code is ever run: this is a table. */
const SPELLINGS: ReadonlyMap<string, readonly [StrategyName, string]> = new Map(
  [
    ['python_literals', 'true', ['True', 'TRUE']] as const,
    ['python_literals', 'false', ['False', 'FALSE']] as const,
    ['python_literals', 'null', ['None', 'Null', 'NULL', 'nil', 'undefined']] as const,
    ['nan_and_infinity', 'null', ['NaN', 'nan', '-NaN', '-nan']] as const,
    ['nan_and_infinity', 'null', ['Infinity', '+Infinity', '-Infinity']] as const,
    ['nan_and_infinity', 'null', ['inf', '+inf', '-inf']] as const,
  ].flatMap(([strategy, json, words]) => words.map((word) => [word, [strategy, json]])),
)

/** Reads a bare word at the position: a literal, another language's literal, or a text without quotes. */
export function readWord(reading: Reading, place: Place): ValueKind {
  const { text, position: start } = reading
  WORD.lastIndex = start
  const word = WORD.exec(text)?.[0] ?? ''
  const end = start + word.length
  if (word !== '' && isEndOfWord(reading, end, place)) {
    const spelling = SPELLINGS.get(word) ?? truncatedLiteral(reading, word, end)
    if (spelling !== undefined) fix(reading, spelling[0], start, end, spelling[1])
    if (spelling !== undefined || LITERALS.has(word)) {
      reading.position = end
      return 'literal'
    }
  }
  // `u'text'`: what kind of string it is does not matter to JSON.
  if (/^[urbfURBF]{1,2}$/.test(word) && isOpening(text, end)) {
    fix(reading, 'python_literals', start, end, '')
    reading.position = end
    readString(reading, place)
    return 'string'
  }
  if (place !== 'root' && place !== 'key' && readPlainValue(reading)) return 'string'
  if (word !== '' && text[end] === '(') throw new CannotRead()
  if (place === 'root' || place === 'key' || '`/\\:='.includes(text[start] as string))
    throw new CannotRead()
  readBareText(reading, place)
  return 'string'
}

/** A path, or a call of code with several plain values: `/src/app`, `date(2020, 1, 1)`. It becomes a text as it stands. */
function readPlainValue(reading: Reading): boolean {
  const { text, position: start } = reading
  PLAIN_VALUE.lastIndex = start
  const value = PLAIN_VALUE.exec(text)?.[0]
  if (value === undefined) return false
  const end = start + value.length
  fix(reading, 'unquoted_values', start, start, '"')
  fix(reading, 'unquoted_values', end, end, '"')
  reading.position = end
  return true
}

function isOpening(text: string, at: Offset): boolean {
  return (
    (text[at] === "'" || text[at] === '"') &&
    !/^\s{0,20}(?:[,}\]]|$)/.test(text.slice(at + 1, at + 24))
  )
}

function truncatedLiteral(
  { text, stack }: Reading,
  word: string,
  end: Offset,
): readonly [StrategyName, string] | undefined {
  if (end < text.length || stack.length === 0) return undefined
  const literal = [...LITERALS].find((candidate) => candidate.startsWith(word))
  return literal === undefined ? undefined : ['truncated_input', literal]
}

/** Whether a literal may end at `end`: `true story` is a text, `true "next":` is not. */
function isEndOfWord({ text, stack }: Reading, end: Offset, place: Place): boolean {
  const next = skipWhite(text, end)
  const character = text[next]
  if (character === undefined || ',]}{[;:<…，、'.includes(character) || isQuote(character))
    return true
  if (character === ')') return stack.at(-1)?.style === 'tuple' || stack.length <= 1
  if (character === '/' || character === '#' || character === '.')
    return next > end || character === '/'
  if (character === '\\') return /["nrt]/.test(text[next + 1] ?? '')
  if (next === end) return false
  if (text.slice(end, next).includes('\n')) return true
  if (place === 'property') return isBareKeyAt(text, next) || isWordsThenKeyAt(text, next)
  return (
    place === 'element' &&
    (isLiteralAt(text, next) ||
      /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/.test(text.slice(next, next + 40)))
  )
}

function readBareText(reading: Reading, place: Place): void {
  const { text, position: start } = reading
  const end = bareTextEnd(reading, place)
  const quote = text[end]
  let last = end
  while (last > start && isWhite(text, last - 1)) last--
  if (last === start) throw new CannotRead()
  if (end < text.length && isQuote(quote) && !isKeyOf(text, end, place)) {
    fix(reading, 'unopened_strings', start, start, '"')
    fixContent(reading, start, { end, isClosed: true, isCutOff: false }, undefined)
    if (quote !== '"') fix(reading, 'unopened_strings', end, end + 1, '"')
    reading.position = end + 1
    return
  }
  fix(reading, 'unquoted_values', start, start, '"')
  fixContent(reading, start, { end: last, isClosed: true, isCutOff: false }, undefined)
  fix(reading, 'unquoted_values', last, last, '"')
  reading.position = last
}

function isKeyOf(text: string, at: Offset, place: Place): boolean {
  return place === 'property' && isQuotedKeyAt(text, at)
}

/** Where a text without an opening quote ends: before a delimiter, the next property, or at its closing quote. */
function bareTextEnd({ text, position, stack }: Reading, place: Place): Offset {
  let braces = 0
  let brackets = 0
  for (let at = position; at < text.length; at++) {
    const character = text[at] as string
    if (character === '{') braces++
    else if (character === '[') brackets++
    else if (character === '}' && braces > 0) braces--
    else if (character === ']' && brackets > 0) brackets--
    else if (character === '}' || character === ']' || character === '\n' || character === ';')
      return at
    else if (character === ')' && stack.at(-1)?.style === 'tuple') return at
    else if (character === ',' && (place !== 'property' || isEndAtComma(text, at))) return at
    else if (character === '/' && isWhite(text, at - 1) && /[/*]/.test(text[at + 1] ?? ''))
      return at
    else if (
      isWhite(text, at) &&
      place === 'property' &&
      isBareKeyAt(text, at + 1) &&
      !isWhite(text, at + 1)
    ) {
      // `a: hello b: 1` on one line: only when the name stands alone before its colon.
      if (!/[.:]/.test(text[at - 1] as string)) return at
    } else if (isQuote(character) && (character === '"' || isClosingQuote('“', character))) {
      if (place === 'property' && isQuotedKeyAt(text, at)) return at
      const next = text[skipWhite(text, at + 1)]
      if (next === undefined || ',]}'.includes(next)) return at
    }
  }
  if (braces > 0 || brackets > 0) throw new CannotRead()
  return text.length
}

function isEndAtComma(text: string, comma: Offset): boolean {
  const next = skipWhite(text, comma + 1)
  const character = text[next]
  if (character === undefined || '},]{['.includes(character)) return true
  return isQuotedKeyAt(text, next) || isBareKeyAt(text, next) || isWordsThenKeyAt(text, next)
}
