import type { Offset } from '../text/span'
import { findStringEnd } from './find-string-end'
import { fixContent } from './fix-content'
import { fixEscapedContent } from './fix-escapes'
import {
  closingQuoteOf,
  isClosingQuote,
  isQuotedKeyAt,
  isWhite,
  SINGLE_QUOTES,
  skipWhite,
} from './look-ahead'
import { CannotRead, fix, type Place, type Reading } from './reading'
import type { StrategyName } from './strategies'
import type { StringEnd } from './unclosed-end'

/**
 * Reads the string whose opening quote is at the position; its quotes and content come out as JSON has them.
 * False when it was a name cut off after its quote: nothing is left of it.
 */
export function readString(reading: Reading, place: Place): boolean {
  const { text, position: start } = reading
  if (text[start] === '\\') return readEscapedString(reading)
  const opening = text[start] as string
  const quotes = reading.isTrusting && isQuotedKeyAt(text, start + 2) ? 2 : countQuotes(text, start)
  if (quotes >= 3 && quotes !== 6) return readTripleQuoted(reading, opening, quotes)
  if (quotes === 2 && isDoubled(reading, start, place)) return readDoubled(reading, opening, place)
  const found = findStringEnd(reading, opening, start + 1, place)
  if (place === 'key' && found.isCutOff && found.end === start + 1) {
    fix(reading, 'truncated_input', start, text.length, '')
    reading.position = text.length
    return false
  }
  replaceQuote(reading, start, place)
  fixContent(reading, start + 1, found, opening)
  if (place === 'key' && found.isCutOff) return closeCutOffKey(reading, found)
  closeString(reading, found, place)
  return true
}

function closeCutOffKey(reading: Reading, { end }: StringEnd): true {
  const { length } = reading.text
  fix(reading, 'truncated_input', end, length, '"')
  reading.position = length
  return true
}

function closeString(reading: Reading, found: StringEnd, place: Place): void {
  if (found.isClosed) {
    replaceQuote(reading, found.end, place)
    if (found.next > found.end + 1) fix(reading, 'doubled_quotes', found.end + 1, found.next, '')
  } else
    fix(reading, 'unclosed_strings', found.end, found.next, '"', found.isCutOff ? 'loss' : 'guess')
  reading.position = found.next
}

function replaceQuote(reading: Reading, at: Offset, place: Place): void {
  const quote = reading.text[at] as string
  if (quote === '"') return
  let strategy: StrategyName = 'odd_quotes'
  if (quote === "'") strategy = place === 'key' ? 'single_quoted_keys' : 'single_quoted_values'
  fix(reading, strategy, at, at + 1, '"')
}

function countQuotes(text: string, start: Offset): number {
  const quote = text[start]
  let at = start
  while (text[at] === quote && at < start + 7) at++
  return at - start
}

/** Whether two quotes at `start` open a string rather than being an empty one. */
function isDoubled({ text, stack }: Reading, start: Offset, place: Place): boolean {
  const at = start + 2
  const next = text[at]
  if (next === undefined || isWhite(text, at) || ',:}])/+;，、：'.includes(next)) return false
  // `[""]name{` is read by its brackets; an empty value glued to the next name is a value.
  if (SINGLE_QUOTES.includes(next) || next === '"') return false
  // `""name" and more"`: the second one opens a quotation within.
  const end = closingQuoteOf(text, start + 1)
  const after = end < 0 ? undefined : text[skipWhite(text, end + 1)]
  if (after !== undefined && !',:}]"\''.includes(after)) return false
  return place !== 'root' || stack.length > 0
}

/** `""text""`: quotes doubled, as spreadsheets do; the closing ones may be single. */
function readDoubled(reading: Reading, opening: string, place: Place): true {
  const { text, position: start } = reading
  const found = findStringEnd(reading, opening, start + 2, place)
  let { end, next } = found
  const doubled = text.indexOf(opening + opening, start + 2)
  if (
    doubled >= 0 &&
    doubled <= end + 1 &&
    ',:}]'.includes(text[skipWhite(text, doubled + 2)] ?? '}')
  ) {
    end = doubled
    next = doubled + 2
  } else if (!found.isClosed) throw new CannotRead()
  fix(reading, 'doubled_quotes', start, start + 2, '"')
  fixContent(reading, start + 2, { end, isClosed: true, isCutOff: false }, opening)
  if (next - end > 1 || opening !== '"') fix(reading, 'doubled_quotes', end, next, '"')
  reading.position = next
  return true
}

/** `"""text"""` as Python writes long strings. */
function readTripleQuoted(reading: Reading, opening: string, quotes: number): true {
  const { text, position: start } = reading
  if (quotes !== 3 || (opening !== '"' && opening !== "'")) throw new CannotRead()
  const end = text.indexOf(opening.repeat(3), start + 3)
  if (end < 0) throw new CannotRead()
  fix(reading, 'python_literals', start, start + 3, '"')
  fixContent(reading, start + 3, { end, isClosed: true, isCutOff: false }, opening)
  fix(reading, 'python_literals', end, end + 3, '"')
  reading.position = end + 3
  return true
}

/** `\"text\"`: a string of JSON that was itself put into a string; one level of backslashes goes. */
function readEscapedString(reading: Reading): true {
  const { text, position: start } = reading
  if (!isClosingQuote('"', text[start + 1] ?? '')) throw new CannotRead()
  fix(reading, 'escaped_quotes', start, start + 1, '')
  const end = fixEscapedContent(reading, start + 2)
  if (end === undefined) throw new CannotRead()
  fix(reading, 'escaped_quotes', end, end + 1, '')
  reading.position = end + 2
  return true
}
