import type { Offset } from '../text/span'
import { fixContent } from './fix-content'
import {
  isClosingQuote,
  isQuote,
  isQuotedKeyAt,
  isWhite,
  isWordsThenKeyAt,
  nameEnd,
  skipWhite,
} from './look-ahead'
import { readString } from './read-string'
import { CannotRead, fix, type Reading } from './reading'

const BARE_KEY =
  /[^\s:,{}[\]"'“”‘’`´()=\\]{1,200}(?:[ \t]{1,4}[^\s:,{}[\]"'“”‘’`´()=\\]{1,200}){0,4}/y

/** Reads the name at the position. False when what stood there was no name and is gone. */
export function readKey(reading: Reading): boolean {
  const { text, position: start } = reading
  const character = text[start]
  if (isQuote(character) || (character === '\\' && text[start + 1] === '"')) {
    return readString(reading, 'key')
  }
  BARE_KEY.lastIndex = start
  const found = BARE_KEY.exec(text)?.[0]
  if (found === undefined) throw new CannotRead()
  const end = start + found.length
  const next = skipWhite(text, end)
  const after = text[next]
  if (isClosing(text, end)) {
    fix(reading, 'unopened_strings', start, start, '"')
    if (text[end] !== '"') fix(reading, 'unopened_strings', end, end + 1, '"')
    reading.position = end + 1
    return true
  }
  if (after === ':' || after === '：' || after === '=') return quoteKey(reading, end)
  if (isWordsThenKeyAt(text, start)) {
    dropWords(reading, end)
    return false
  }
  if (after === undefined || after === '}' || after === '{' || after === '[' || isQuote(after))
    return quoteKey(reading, end)
  const single = nameEnd(text, start)
  if (single > start && single < end && isWhite(text, single)) return quoteKey(reading, single)
  throw new CannotRead()
}

function isClosing(text: string, at: Offset): boolean {
  if (!isQuote(text[at]) || !isClosingQuote('"', text[at] as string)) return false
  return text[skipWhite(text, at + 1)] === ':' && !isQuotedKeyAt(text, at)
}

function quoteKey(reading: Reading, end: Offset): boolean {
  const start = reading.position
  fix(reading, 'unquoted_keys', start, start, '"')
  fixContent(reading, start, { end, isClosed: true, isCutOff: false }, undefined)
  fix(reading, 'unquoted_keys', end, end, '"')
  reading.position = end
  return true
}

/** Takes out words that are neither name nor value. */
export function dropWords(reading: Reading, end: Offset): void {
  fix(reading, 'stray_words', reading.position, end, '')
  reading.position = end
}
