/** Parses values without quotes: numbers, literals, and words that should have quotes. */
import type { Offset } from '../../text/span'
import type { StrategyName } from '../repair-strategies'
import { isClosingQuote, isQuote, matchAt } from './lookahead'
import { fixStringContent, parseString, quoteTo } from './parse-string'
import { CannotParse, type Parser, type ValueKind, type ValueSlot } from './parser'

const WORD = /[-+]?[\p{L}_][\p{L}\p{N}_]{0,200}/uy
/** A path: `/src/app`. */
const PLAIN_VALUE = /(?:\/[\w.@-]{1,100}){1,40}\/?(?=\s{0,20}[,}\]])/y
const LITERALS = new Set(['true', 'false', 'null'])
/** Text that is no code and whose end is certain. */
const PLAIN_WORDS = /^[\p{L}\p{N}\p{M}\p{S}_.:/@#~ \t-]*$/u
/** Also what begins like a number or a literal, which may be two values without their comma. */
const NOT_PLAIN =
  /^-|^\d|^(?:true|false|null)|^(?:[Tt]ru?|[Ff]al?s?|nul?|Non)$|[<>=+|^`]| (?:for|if|in) |[^\p{L}\p{N}/]$/u

/** Literals of other languages and their JSON equivalents. No code is ever run. */
export const FOREIGN_LITERALS: ReadonlyMap<string, readonly [StrategyName, string]> = new Map(
  [
    ['python_literals', 'true', ['True', 'TRUE']] as const,
    ['python_literals', 'false', ['False', 'FALSE']] as const,
    ['python_literals', 'null', ['None', 'Null', 'NULL', 'nil', 'undefined']] as const,
    ['nan_and_infinity', 'null', ['NaN', 'nan', '-NaN', '-nan']] as const,
    ['nan_and_infinity', 'null', ['Infinity', '+Infinity', '-Infinity']] as const,
    ['nan_and_infinity', 'null', ['inf', '+inf', '-inf']] as const,
  ].flatMap(([strategy, json, words]) => words.map((word) => [word, [strategy, json]])),
)

/** Parses a bare word: a literal, a literal of another language, or an unquoted string. */
export function parseWord(parser: Parser, slot: ValueSlot): ValueKind {
  const { text, position: start } = parser
  const word = matchAt(WORD, text, start) ?? ''
  const end = start + word.length
  if (word !== '' && isEndOfWord(parser, end, slot)) {
    const spelling = FOREIGN_LITERALS.get(word) ?? truncatedLiteral(parser, word, end)
    if (spelling !== undefined) parser.addFix(spelling[0], start, end, spelling[1])
    if (spelling !== undefined || LITERALS.has(word)) {
      parser.position = end
      return 'literal'
    }
  }
  // `u'text'`: the prefix has no meaning in JSON.
  if (/^[urbfURBF]{1,2}$/.test(word) && isOpeningQuote(text, end)) {
    // Before a double quote it may be the first letter of the text.
    const risk = /f/i.test(word) || text[end] === '"' ? 'guess' : 'none'
    parser.fixTo('python_literals', start, end, '', risk)
    parseString(parser, slot)
    return 'string'
  }
  const isInside = slot !== 'root' && slot !== 'key'
  const path = isInside ? matchAt(PLAIN_VALUE, text, start) : undefined
  if (path !== undefined) {
    quoteTo(parser, 'unquoted_values', start + path.length)
    return 'string'
  }
  if (word !== '' && text[end] === '(') throw new CannotParse()
  if (!isInside || '`/\\:='.includes(text[start] as string)) throw new CannotParse()
  parseUnquotedString(parser, slot)
  return 'string'
}

function isOpeningQuote(text: string, at: Offset): boolean {
  return (
    (text[at] === "'" || text[at] === '"') &&
    !/^\s{0,20}(?:[,}\]]|$)/.test(text.slice(at + 1, at + 24))
  )
}

function truncatedLiteral(
  { text, stack }: Parser,
  word: string,
  end: Offset,
): readonly [StrategyName, string] | undefined {
  if (end < text.length || stack.length === 0) return undefined
  const literal = [...LITERALS].find((candidate) => candidate.startsWith(word))
  return literal === undefined ? undefined : ['truncated_input', literal]
}

/** True if a literal may end at `end`: not in `true story`, but in `true "next":`. */
function isEndOfWord(parser: Parser, end: Offset, slot: ValueSlot): boolean {
  const { text, stack } = parser
  const next = parser.skipWhite(end)
  const character = text[next]
  if (character === undefined || ',]}{[;:<…，、'.includes(character) || isQuote(character))
    return true
  if (character === ')') return stack.at(-1)?.style === 'tuple' || stack.length <= 1
  if (character === '/' || character === '#' || character === '.')
    return next > end || character === '/'
  if (next === end) return false
  if (text.slice(end, next).includes('\n')) return true
  if (slot === 'property') return parser.isBareKeyAt(next) || parser.isWordsThenKeyAt(next)
  return (
    slot === 'element' &&
    (parser.isLiteralAt(next) ||
      /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/.test(text.slice(next, next + 40)))
  )
}

function parseUnquotedString(parser: Parser, slot: ValueSlot): void {
  const { text, position: start } = parser
  const end = unquotedStringEnd(parser, slot)
  const quote = text[end]
  const last = parser.trimmedEnd(start, end)
  /* v8 ignore next -- @preserve A value starts at a character that cannot end one; without one the loop would not end. */
  if (last === start) throw new CannotParse()
  const isKey = slot === 'property' && parser.isQuotedKeyAt(end)
  if (end < text.length && isQuote(quote) && !isKey) {
    parser.addFix('unopened_strings', start, start, '"')
    fixStringContent(parser, start, end, undefined)
    if (quote !== '"') parser.addFix('unopened_strings', end, end + 1, '"')
    parser.position = end + 1
    return
  }
  const words = text.slice(start, last)
  const risk = PLAIN_WORDS.test(words) && !NOT_PLAIN.test(words) ? 'none' : 'guess'
  quoteTo(parser, 'unquoted_values', last, risk)
}

/** End of an unquoted string: before a delimiter or the next property, or at its closing quote. */
function unquotedStringEnd(parser: Parser, slot: ValueSlot): Offset {
  const { text, position, stack } = parser
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
    else if (character === ',' && (slot !== 'property' || isEndOfUnquoted(parser, at))) return at
    else if (character === '/' && parser.isWhite(at - 1) && /[/*]/.test(text[at + 1] ?? ''))
      return at
    else if (
      parser.isWhite(at) &&
      slot === 'property' &&
      parser.isBareKeyAt(at + 1) &&
      !parser.isWhite(at + 1)
    ) {
      // `a: hello b: 1` on one line: the value ends before a key, but not after a dot or colon.
      if (!/[.:]/.test(text[at - 1] as string)) return at
    } else if (isQuote(character) && (character === '"' || isClosingQuote('“', character))) {
      if (slot === 'property' && parser.isQuotedKeyAt(at)) return at
      const next = text[parser.skipWhite(at + 1)]
      if (next === undefined || ',]}'.includes(next)) return at
    }
  }
  if (braces > 0 || brackets > 0) throw new CannotParse()
  return text.length
}

function isEndOfUnquoted(parser: Parser, comma: Offset): boolean {
  const { text } = parser
  const next = parser.skipWhite(comma + 1)
  const character = text[next]
  return character === undefined || '},]{['.includes(character) || parser.isKeyAt(next)
}

const JSON_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const TOKEN = /[^\s,\]}"'[{()`;<…，、]{1,400}/y
const LOOSE = /^([+-]?)(\d[\d_]*)?(\.)?([\d_]*)(?:([eE][+-]?)(\d*))?$/
const OTHER_BASE = /^[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/
const THOUSANDS = /-?[1-9]\d{0,2}(?:,\d{3}){1,6}(?:\.\d{1,20})?(?!\w)/y

/**
 * Parses a number and rewrites it as JSON. Returns false, and changes nothing, for text that only starts like one.
 */
export function parseNumber(parser: Parser): boolean {
  const { text, position: start } = parser
  if (parseThousands(parser)) return true
  const number = matchAt(JSON_NUMBER, text, start)
  if (number !== undefined && isEndOfNumber(parser, start + number.length)) {
    parser.position = start + number.length
    return true
  }
  const token = matchAt(TOKEN, text, start) as string
  const end = start + token.length
  const json = toJsonNumber(token, end === text.length)
  if (json === undefined || !isEndOfNumber(parser, end)) return false
  // `1. {` is a list mark.
  if (token.endsWith('.') && !'.,]}'.includes(text[parser.skipToToken(end)] ?? '.')) return false
  const isCutOff = end === text.length && /[-+.eE]$/.test(token)
  if (isCutOff) parser.fixTo('truncated_input', start, end, json)
  else parser.fixTo('bad_numbers', start, end, json, /e[+-]?$/i.test(token) ? 'guess' : 'none')
  return true
}

/** Parses `1,234,567` in an object, where a number cannot follow a comma. */
function parseThousands(parser: Parser): boolean {
  const { text, position: start, stack } = parser
  if (stack.at(-1)?.kind !== 'object') return false
  const token = matchAt(THOUSANDS, text, start)
  if (token === undefined) return false
  const end = start + token.length
  const next = text[parser.skipToToken(end)]
  if (next !== undefined && next !== ',' && next !== '}') return false
  parser.fixTo('bad_numbers', start, end, token.replaceAll(',', ''), 'guess')
  return true
}

/** Converts a number to JSON notation; undefined if it is not a number or would lose digits. */
function toJsonNumber(token: string, isLast: boolean): string | undefined {
  if (OTHER_BASE.test(token)) {
    const digits = token.replace(/^[+-]/, '')
    return `${token.startsWith('-') ? '-' : ''}${BigInt(digits)}`
  }
  const match = LOOSE.exec(token)
  if (match === null) return undefined
  const [, sign, whole = '', point = '', fraction = '', exponent = '', power = ''] = match
  const digits = whole.replaceAll('_', '')
  // A number with leading zeros may be a code, a time or octal.
  if (digits.length > 1 && digits.startsWith('0')) return undefined
  if (digits === '' && point === '' && exponent !== '') return undefined
  if (digits === '' && point === '' && (sign !== '-' || !isLast)) return undefined
  const decimals = fraction.replaceAll('_', '')
  return `${sign === '-' ? '-' : ''}${digits || '0'}${point}${point === '' ? '' : decimals || '0'}${exponent}${exponent === '' ? '' : power || '0'}`
}

/** True if a number may end at `end`: nothing is glued to it, and no words follow on the same line. */
function isEndOfNumber(parser: Parser, end: Offset): boolean {
  const { text, stack } = parser
  const next = parser.skipToToken(end)
  const character = text[next]
  if (character === undefined || ',]}{[;<…，、'.includes(character) || isQuote(character))
    return true
  if (character === ')') return stack.at(-1)?.style === 'tuple' || stack.length <= 1
  if (text.startsWith('//', next) || text.startsWith('/*', next) || text.startsWith('...', next))
    return true
  if (character === '#') return next > end
  if (text.slice(end, next).includes('\n')) return true
  if (stack.at(-1)?.kind === 'object')
    return parser.isBareKeyAt(next) && /[\p{L}_]/u.test(character)
  return next > end && (/[\d-]/.test(character) || parser.isLiteralAt(next))
}
