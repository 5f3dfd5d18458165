import type { Offset } from '../../text/span'
import { markedText } from '../markup'
import type { RepairRisk } from '../repair-strategies'
import { findStringEnd } from './find-string-end'
import { isClosingQuote, matchAt, SINGLE_QUOTES } from './lookahead'
import { CannotParse, type Parser, type ValueSlot } from './parser'
import type { StringEnd } from './unclosed-string'

/**
 * Parses a string and fixes its quotes and content. Returns false for a key cut off after its quote: it is removed.
 */
export function parseString(parser: Parser, slot: ValueSlot): boolean {
  const { text, position: start } = parser
  const opening = text[start] as string
  const quotes =
    parser.isTrustingQuotes && parser.isQuotedKeyAt(start + 2) ? 2 : countQuotes(text, start)
  if (quotes >= 3 && quotes !== 6) return parseTripleQuoted(parser, opening, quotes)
  if (quotes === 2 && hasDoubledQuotes(parser, start, slot))
    return parseDoubledQuotes(parser, opening, slot)
  const found = findStringEnd(parser, opening, start + 1, slot)
  if (slot === 'key' && found.isCutOff && found.end === start + 1) {
    parser.fixTo('truncated_input', start, text.length, '')
    return false
  }
  replaceQuote(parser, start, isDoubtful(text, start, found.end) ? 'guess' : 'none')
  fixStringContent(parser, start + 1, found.end, opening, found.isCutOff)
  if (slot === 'key' && found.isCutOff) parser.fixTo('truncated_input', found.end, text.length, '"')
  else closeString(parser, found)
  return true
}

/** True for a template, and for a quote inside that could close the string: `'It's'`, `“a”b”`. */
function isDoubtful(text: string, start: Offset, end: Offset): boolean {
  const opening = text[start] as string
  if (opening === '"') return false
  const content = text.slice(start + 1, end)
  if (opening === '`' && content.includes('${')) return true
  return [...content.replace(/\\./g, '')].some((one) => isClosingQuote(opening, one))
}

function closeString(parser: Parser, found: StringEnd): void {
  const { end, next, isClosed, isCutOff } = found
  if (!isClosed) {
    const isLoss = isCutOff || isNearEnd(parser.text, next)
    parser.fixTo('unclosed_strings', end, next, '"', isLoss ? 'loss' : 'guess')
    return
  }
  replaceQuote(parser, end, 'none')
  if (next > end + 1) parser.addFix('doubled_quotes', end + 1, next, '')
  parser.position = next
}

/** True if only a quote and brackets follow: they may be content of a string whose rest was cut off. */
const isNearEnd = (text: string, at: Offset) => /^["'“”„‟″‘’‚‛`´]?[\s}\]]*$/.test(text.slice(at))

function replaceQuote(parser: Parser, at: Offset, risk: RepairRisk): void {
  const quote = parser.text[at] as string
  if (quote === '"') return
  const strategy = quote === "'" ? 'single_quotes' : 'odd_quotes'
  parser.addFix(strategy, at, at + 1, '"', risk)
}

function countQuotes(text: string, start: Offset): number {
  const quote = text[start]
  let at = start
  while (text[at] === quote && at < start + 7) at++
  return at - start
}

/** True if two quotes at `start` open a string; false if they are an empty string. */
function hasDoubledQuotes(parser: Parser, start: Offset, slot: ValueSlot): boolean {
  const { text, stack } = parser
  const at = start + 2
  const next = text[at]
  if (next === undefined || parser.isWhite(at) || ',:}])/+;，、：'.includes(next)) return false
  // `[""]name{` is handled with its brackets; an empty value glued to the next key is a value.
  if (SINGLE_QUOTES.includes(next) || next === '"') return false
  // `""name" and more"`: the second quote opens a quotation inside.
  const end = parser.closingQuoteOf(start + 1)
  const after = end < 0 ? undefined : text[parser.skipWhite(end + 1)]
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
    ',:}]'.includes(text[parser.skipWhite(doubled + 2)] ?? '}')
  ) {
    end = doubled
    next = doubled + 2
  } else if (!found.isClosed) throw new CannotParse()
  parser.addFix('doubled_quotes', start, start + 2, '"')
  fixStringContent(parser, start + 2, end, opening)
  if (next - end > 1 || opening !== '"') parser.addFix('doubled_quotes', end, next, '"')
  parser.position = next
  return true
}

/** Parses a Python string with triple quotes: `"""text"""`. */
function parseTripleQuoted(parser: Parser, opening: string, quotes: number): true {
  const { text, position: start } = parser
  if (quotes !== 3 || (opening !== '"' && opening !== "'")) throw new CannotParse()
  const end = text.indexOf(opening.repeat(3), start + 3)
  if (end < 0) throw new CannotParse()
  parser.addFix('python_literals', start, start + 3, '"')
  fixStringContent(parser, start + 3, end, opening)
  parser.fixTo('python_literals', end, end + 3, '"')
  return true
}

/** Parses a string between a model's own quotation marks. Returns false, and changes nothing, for any other text. */
export function parseMarkedString(parser: Parser): boolean {
  const marked = markedText(parser.text, parser.position)
  if (marked === undefined) return false
  const { from, end, next } = marked
  parser.fixTo('call_tags', parser.position, from, '"')
  fixStringContent(parser, from, end, RAW)
  if (next > end) parser.fixTo('call_tags', end, next, '"')
  else parser.fixTo('truncated_input', end, end, '"')
  return true
}

/** Stands for a quote in `fixStringContent` where the content is no JSON: every quote and backslash is content. */
export const RAW = '<'

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
      if (opening === undefined || opening === RAW) {
        parser.addFix('bad_escapes', at, at + 1, '\\\\')
        at++
      } else {
        raw ??= literalLetters(text, from, end, isCutOff)
        at = fixEscape(parser, at, { from, end, isCutOff, raw })
      }
      continue
    }
    if (code < 32) {
      const character = text[at] as string
      const escaped = NAMED[character] ?? `\\u${code.toString(16).padStart(4, '0')}`
      parser.addFix('control_characters', at, at + 1, escaped)
    } else if (code === 34) {
      // A double quote is allowed in single quotes; only its spelling changes.
      const strategy =
        opening === "'" ? 'single_quotes' : opening === RAW ? 'call_tags' : 'inner_quotes'
      parser.addFix(strategy, at, at + 1, '\\"')
    }
    at++
  }
}

/** Puts quotes around the text from the parser's position to `end`. */
export function quoteTo(
  parser: Parser,
  strategy: 'unquoted_keys' | 'unquoted_values',
  end: Offset,
  risk?: RepairRisk,
): true {
  const { position: start } = parser
  parser.addFix(strategy, start, start, '"', risk)
  fixStringContent(parser, start, end, undefined)
  parser.fixTo(strategy, end, end, '"', risk)
  return true
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
    // The quote after it ends the string, unless the text was cut off behind it.
    const isLoss = isNearEnd(text, end) && literalLetters(text, from, end, true) === ''
    if (isCutOff) parser.addFix('truncated_input', at, end, '')
    else parser.addFix('bad_escapes', at, at + 1, '\\\\', isLoss ? 'loss' : 'guess')
    return end
  }
  if (raw.includes(letter)) {
    parser.addFix('bad_escapes', at, at + 1, '\\\\', 'guess')
    return at + 2
  }
  if (letter === 'u') return fixUnicode(parser, at, content)
  if (KNOWN.includes(letter)) return at + 2
  const hex = text.slice(at + 2, Math.min(at + 4, end))
  if (letter === 'x' && /^[0-9a-fA-F]{2}$/.test(hex)) {
    parser.addFix('bad_escapes', at, at + 4, `\\u00${hex}`)
    return at + 4
  }
  // No escape and no pattern has a letter outside ASCII; a path may have one.
  const isForeign = letter > '~' && raw === ''
  const isLone = at === from && at + 2 === end && !/[dDwWsSbB]/.test(letter)
  const isNeedless = isForeign || isLone || "'`\n\r".includes(letter)
  parser.addFix('bad_escapes', at, at + 1, isNeedless ? '' : '\\\\')
  return at + 1
}

function fixUnicode(parser: Parser, at: Offset, { end, isCutOff }: Content): Offset {
  const digits = parser.text.slice(at + 2, Math.min(at + 6, end))
  if (FOUR_HEX.test(digits)) return at + 6
  if (isCutOff && at + 6 > end && /^[0-9a-fA-F]*$/.test(digits)) {
    parser.addFix('truncated_input', at, end, '')
    return end
  }
  parser.addFix('bad_escapes', at, at + 1, '\\\\')
  return at + 1
}

const DRIVE = /[A-Za-z]:\\[^\\]/y

/**
 * Letters that do not form an escape after a backslash between `from` and `end`. One invalid escape (`\d`, `\.`)
 * shows that the text was never escaped: then `\b` and `\f` are pattern syntax. In a Windows path such as `C:\new` no
 * letter forms an escape.
 */
function literalLetters(text: string, from: Offset, end: Offset, isCutOff: boolean): string {
  const isPath = matchAt(DRIVE, text, from) !== undefined
  let isRaw = false
  for (let at = from; at < end; at++) {
    if (text[at] !== '\\') continue
    const letter = text[++at]
    if (at >= end) isRaw ||= !isCutOff
    else if (letter === '\\' || letter === '"' || letter === '/') return ''
    else if (letter !== undefined && (letter <= '~' || isPath) && !"bfnrtux'`\n\r".includes(letter))
      isRaw = true
  }
  return isRaw ? (isPath ? 'bfnrtu' : 'bf') : ''
}
