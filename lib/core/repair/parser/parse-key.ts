import type { Offset } from '../../text/span'
import { fixStringContent } from './fix-string-content'
import { isQuote, isQuotedKeyAt, isWhite, isWordsThenKeyAt, nameEnd, skipWhite } from './lookahead'
import { parseString } from './parse-string'
import { addFix, CannotParse, type Parser } from './parser'

const BARE_KEY =
  /[^\s:,{}[\]"'“”‘’`´()=\\]{1,200}(?:[ \t]{1,4}[^\s:,{}[\]"'“”‘’`´()=\\]{1,200}){0,4}/y

/** Parses a key. Returns false if the text was not a key and was removed. */
export function parseKey(parser: Parser): boolean {
  const { text, position: start } = parser
  const character = text[start]
  if (isQuote(character) || (character === '\\' && text[start + 1] === '"')) {
    return parseString(parser, 'key')
  }
  BARE_KEY.lastIndex = start
  const found = BARE_KEY.exec(text)?.[0]
  if (found === undefined) throw new CannotParse()
  const end = start + found.length
  const next = skipWhite(text, end)
  const after = text[next]
  if (isClosing(text, end)) {
    addFix(parser, 'unopened_strings', start, start, '"')
    if (text[end] !== '"') addFix(parser, 'unopened_strings', end, end + 1, '"')
    parser.position = end + 1
    return true
  }
  if (after === ':' || after === '：' || after === '=') return quoteKey(parser, end)
  if (isWordsThenKeyAt(text, start)) {
    dropWords(parser, end)
    return false
  }
  if (after === undefined || after === '}' || after === '{' || after === '[' || isQuote(after))
    return quoteKey(parser, end)
  const single = nameEnd(text, start)
  if (single > start && single < end && isWhite(text, single)) return quoteKey(parser, single)
  throw new CannotParse()
}

function isClosing(text: string, at: Offset): boolean {
  if (text[at] !== '"' && text[at] !== "'") return false
  return text[skipWhite(text, at + 1)] === ':' && !isQuotedKeyAt(text, at)
}

function quoteKey(parser: Parser, end: Offset): boolean {
  const start = parser.position
  addFix(parser, 'unquoted_keys', start, start, '"')
  fixStringContent(parser, start, end, undefined)
  addFix(parser, 'unquoted_keys', end, end, '"')
  parser.position = end
  return true
}

/** Removes words that are neither key nor value. */
export function dropWords(parser: Parser, end: Offset): void {
  addFix(parser, 'stray_words', parser.position, end, '')
  parser.position = end
}
