/** Parses keys, and inserts the commas missing before them. */
import type { Offset } from '../../text/span'
import { isQuote, matchAt } from './lookahead'
import { parseMarkedString, parseString, quoteTo } from './parse-string'
import { CannotParse, type Frame, type Parser } from './parser'

const BARE_KEY =
  /[^\s:,{}[\]"'“”„‟″‘’‚‛`´()=\\]{1,200}(?:[ \t]{1,4}[^\s:,{}[\]"'“”„‟″‘’‚‛`´()=\\]{1,200}){0,4}/y

/** Parses a key. Returns false if the text was not a key and was removed. */
export function parseKey(parser: Parser): boolean {
  const { text, position: start } = parser
  if (isQuote(text[start])) return parseString(parser, 'key')
  if (parseMarkedString(parser)) return true
  const found = matchAt(BARE_KEY, text, start)
  if (found === undefined) throw new CannotParse()
  const end = start + found.length
  const next = parser.skipWhite(end)
  const after = text[next]
  if (isClosing(parser, end)) {
    parser.addFix('unopened_strings', start, start, '"')
    if (text[end] !== '"') parser.addFix('unopened_strings', end, end + 1, '"')
    parser.position = end + 1
    return true
  }
  if (after === ':' || after === '：' || after === '=') return quoteTo(parser, 'unquoted_keys', end)
  if (parser.isWordsThenKeyAt(start)) {
    parser.removeTo('stray_words', end)
    return false
  }
  if (after === undefined || after === '}' || after === '{' || after === '[' || isQuote(after))
    return quoteTo(parser, 'unquoted_keys', end)
  const single = parser.nameEnd(start)
  if (single > start && single < end && parser.isWhite(single))
    return quoteTo(parser, 'unquoted_keys', single)
  throw new CannotParse()
}

function isClosing(parser: Parser, at: Offset): boolean {
  const { text } = parser
  if (!isQuote(text[at]) || parser.isQuotedKeyAt(at)) return false
  return text[parser.skipWhite(at + 1)] === ':'
}

/** Inserts the comma missing between the last value and the parser's position. */
export function insertMissingComma(parser: Parser, frame: Frame): void {
  const { text, position: next } = parser
  let end = next
  while (end > frame.lastStart && /\s/.test(text[end - 1] as string)) end--
  const gap = text.slice(end, next)
  // Characters glued to a string may be part of it.
  const isBare = !isQuote(text[next]) && text[next] !== '{' && text[next] !== '['
  if (parser.isTrustingQuotes && isBare && frame.lastKind === 'string' && gap === '') {
    throw new CannotParse()
  }
  const strategy = 'missing_commas'
  const last = parser.fixes.at(-1)
  // A text without quotes may go on.
  const isAfterWords = last?.strategy === 'unquoted_values' && last.end === end
  const isAfterBracket = frame.lastKind === 'object' || frame.lastKind === 'array'
  const isBesideWords = isAfterWords || (frame.kind === 'array' && isAfterBracket && isBare)
  const risk = isBesideWords && !gap.includes('\n') ? 'guess' : 'none'
  const isTouched = last !== undefined && last.end > end
  if (gap === '') parser.addFix(strategy, end, end, parser.isSpaced ? ', ' : ',', risk)
  else if (gap !== ' ' || parser.isSpaced || isTouched) parser.addFix(strategy, end, end, ',', risk)
  else parser.addFix(strategy, end, next, ',', risk)
  frame.comma = next
}
