import type { Offset } from '../../text/span'
import type { RepairRisk, StrategyName } from '../repair-strategies'
import { findStringEnd } from './find-string-end'
import { fixEscapedContent, fixStringContent } from './fix-string-content'
import { closingQuoteOf, isQuotedKeyAt, isWhite, SINGLE_QUOTES, skipWhite } from './lookahead'
import { addFix, CannotParse, type Parser, type ValueSlot } from './parser'
import type { StringEnd } from './unclosed-string'

/**
 * Parses a string and fixes its quotes and content. Returns false for a key cut off after its quote: it is removed.
 */
export function parseString(parser: Parser, slot: ValueSlot): boolean {
  const { text, position: start } = parser
  if (text[start] === '\\') return parseEscapedString(parser)
  const opening = text[start] as string
  const quotes =
    parser.isTrustingQuotes && isQuotedKeyAt(text, start + 2) ? 2 : countQuotes(text, start)
  if (quotes >= 3 && quotes !== 6) return parseTripleQuoted(parser, opening, quotes)
  if (quotes === 2 && hasDoubledQuotes(parser, start, slot))
    return parseDoubledQuotes(parser, opening, slot)
  const found = findStringEnd(parser, opening, start + 1, slot)
  if (slot === 'key' && found.isCutOff && found.end === start + 1) {
    addFix(parser, 'truncated_input', start, text.length, '')
    parser.position = text.length
    return false
  }
  replaceQuote(parser, start, slot, isDoubtful(text, start, found.end) ? 'guess' : 'none')
  fixStringContent(parser, start + 1, found.end, opening, found.isCutOff)
  if (slot === 'key' && found.isCutOff) return closeCutOffKey(parser, found)
  closeString(parser, found, slot)
  return true
}

/** True for a template, and for a quote of the same kind inside: `'It's'`. */
function isDoubtful(text: string, start: Offset, end: Offset): boolean {
  const opening = text[start] as string
  if (opening === '"') return false
  const content = text.slice(start + 1, end)
  return (
    (opening === '`' && content.includes('${')) || content.replace(/\\./g, '').includes(opening)
  )
}

function closeCutOffKey(parser: Parser, { end }: StringEnd): true {
  const { length } = parser.text
  addFix(parser, 'truncated_input', end, length, '"')
  parser.position = length
  return true
}

function closeString(parser: Parser, found: StringEnd, slot: ValueSlot): void {
  if (found.isClosed) {
    replaceQuote(parser, found.end, slot, 'none')
    if (found.next > found.end + 1) addFix(parser, 'doubled_quotes', found.end + 1, found.next, '')
  } else
    addFix(
      parser,
      'unclosed_strings',
      found.end,
      found.next,
      '"',
      found.isCutOff ? 'loss' : 'guess',
    )
  parser.position = found.next
}

function replaceQuote(parser: Parser, at: Offset, slot: ValueSlot, risk: RepairRisk): void {
  const quote = parser.text[at] as string
  if (quote === '"') return
  let strategy: StrategyName = 'odd_quotes'
  if (quote === "'") strategy = slot === 'key' ? 'single_quoted_keys' : 'single_quoted_values'
  addFix(parser, strategy, at, at + 1, '"', risk)
}

function countQuotes(text: string, start: Offset): number {
  const quote = text[start]
  let at = start
  while (text[at] === quote && at < start + 7) at++
  return at - start
}

/** True if two quotes at `start` open a string; false if they are an empty string. */
function hasDoubledQuotes({ text, stack }: Parser, start: Offset, slot: ValueSlot): boolean {
  const at = start + 2
  const next = text[at]
  if (next === undefined || isWhite(text, at) || ',:}])/+;，、：'.includes(next)) return false
  // `[""]name{` is handled with its brackets; an empty value glued to the next key is a value.
  if (SINGLE_QUOTES.includes(next) || next === '"') return false
  // `""name" and more"`: the second quote opens a quotation inside.
  const end = closingQuoteOf(text, start + 1)
  const after = end < 0 ? undefined : text[skipWhite(text, end + 1)]
  if (after !== undefined && !',:}]"\''.includes(after)) return false
  return slot !== 'root' || stack.length > 0
}

/** Parses a string with doubled quotes, as in spreadsheets: `""text""`. Its closing quote may be single. */
function parseDoubledQuotes(parser: Parser, opening: string, slot: ValueSlot): true {
  const { text, position: start } = parser
  const found = findStringEnd(parser, opening, start + 2, slot)
  let { end, next } = found
  const doubled = text.indexOf(opening + opening, start + 2)
  if (
    doubled >= 0 &&
    doubled <= end + 1 &&
    ',:}]'.includes(text[skipWhite(text, doubled + 2)] ?? '}')
  ) {
    end = doubled
    next = doubled + 2
  } else if (!found.isClosed) throw new CannotParse()
  addFix(parser, 'doubled_quotes', start, start + 2, '"')
  fixStringContent(parser, start + 2, end, opening)
  if (next - end > 1 || opening !== '"') addFix(parser, 'doubled_quotes', end, next, '"')
  parser.position = next
  return true
}

/** Parses a Python string with triple quotes: `"""text"""`. */
function parseTripleQuoted(parser: Parser, opening: string, quotes: number): true {
  const { text, position: start } = parser
  if (quotes !== 3 || (opening !== '"' && opening !== "'")) throw new CannotParse()
  const end = text.indexOf(opening.repeat(3), start + 3)
  if (end < 0) throw new CannotParse()
  addFix(parser, 'python_literals', start, start + 3, '"')
  fixStringContent(parser, start + 3, end, opening)
  addFix(parser, 'python_literals', end, end + 3, '"')
  parser.position = end + 3
  return true
}

/** Parses `\"text\"`, a string whose JSON was itself inside a string, and removes one level of backslashes. */
function parseEscapedString(parser: Parser): true {
  const { position: start } = parser
  addFix(parser, 'escaped_quotes', start, start + 1, '')
  const end = fixEscapedContent(parser, start + 2)
  if (end === undefined) throw new CannotParse()
  addFix(parser, 'escaped_quotes', end, end + 1, '')
  parser.position = end + 2
  return true
}
