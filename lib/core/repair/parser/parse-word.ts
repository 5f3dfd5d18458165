import type { Offset } from '../../text/span'
import type { StrategyName } from '../repair-strategies'
import { fixStringContent } from './fix-string-content'
import {
  isBareKeyAt,
  isClosingQuote,
  isLiteralAt,
  isQuote,
  isQuotedKeyAt,
  isWhite,
  isWordsThenKeyAt,
  skipWhite,
  trimmedEnd,
} from './lookahead'
import { parseString } from './parse-string'
import { addFix, CannotParse, type Parser, type ValueKind, type ValueSlot } from './parser'

const WORD = /[-+]?[\p{L}_][\p{L}\p{N}_]{0,200}/uy
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
  WORD.lastIndex = start
  const word = WORD.exec(text)?.[0] ?? ''
  const end = start + word.length
  if (word !== '' && isEndOfWord(parser, end, slot)) {
    const spelling = FOREIGN_LITERALS.get(word) ?? truncatedLiteral(parser, word, end)
    if (spelling !== undefined) addFix(parser, spelling[0], start, end, spelling[1])
    if (spelling !== undefined || LITERALS.has(word)) {
      parser.position = end
      return 'literal'
    }
  }
  // `u'text'`: the prefix has no meaning in JSON.
  if (/^[urbfURBF]{1,2}$/.test(word) && isOpeningQuote(text, end)) {
    // Before a double quote it may be the first letter of the text.
    const risk = /f/i.test(word) || text[end] === '"' ? 'guess' : 'none'
    addFix(parser, 'python_literals', start, end, '', risk)
    parser.position = end
    parseString(parser, slot)
    return 'string'
  }
  if (slot !== 'root' && slot !== 'key' && parsePlainValue(parser)) return 'string'
  if (word !== '' && text[end] === '(') throw new CannotParse()
  if (slot === 'root' || slot === 'key' || '`/\\:='.includes(text[start] as string))
    throw new CannotParse()
  parseUnquotedString(parser, slot)
  return 'string'
}

/** Quotes a path: `/src/app`. Returns false for other text. */
function parsePlainValue(parser: Parser): boolean {
  const { text, position: start } = parser
  PLAIN_VALUE.lastIndex = start
  const value = PLAIN_VALUE.exec(text)?.[0]
  if (value === undefined) return false
  const end = start + value.length
  addFix(parser, 'unquoted_values', start, start, '"')
  addFix(parser, 'unquoted_values', end, end, '"')
  parser.position = end
  return true
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
function isEndOfWord({ text, stack }: Parser, end: Offset, slot: ValueSlot): boolean {
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
  if (slot === 'property') return isBareKeyAt(text, next) || isWordsThenKeyAt(text, next)
  return (
    slot === 'element' &&
    (isLiteralAt(text, next) ||
      /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/.test(text.slice(next, next + 40)))
  )
}

function parseUnquotedString(parser: Parser, slot: ValueSlot): void {
  const { text, position: start } = parser
  const end = unquotedStringEnd(parser, slot)
  const quote = text[end]
  const last = trimmedEnd(text, start, end)
  /* v8 ignore next -- @preserve A value starts at a character that cannot end one; without one the loop would not end. */
  if (last === start) throw new CannotParse()
  if (end < text.length && isQuote(quote) && !isKeyOf(text, end, slot)) {
    addFix(parser, 'unopened_strings', start, start, '"')
    fixStringContent(parser, start, end, undefined)
    if (quote !== '"') addFix(parser, 'unopened_strings', end, end + 1, '"')
    parser.position = end + 1
    return
  }
  const words = text.slice(start, last)
  const risk = PLAIN_WORDS.test(words) && !NOT_PLAIN.test(words) ? 'none' : 'guess'
  addFix(parser, 'unquoted_values', start, start, '"', risk)
  fixStringContent(parser, start, last, undefined)
  addFix(parser, 'unquoted_values', last, last, '"', risk)
  parser.position = last
}

function isKeyOf(text: string, at: Offset, slot: ValueSlot): boolean {
  return slot === 'property' && isQuotedKeyAt(text, at)
}

/** End of an unquoted string: before a delimiter or the next property, or at its closing quote. */
function unquotedStringEnd({ text, position, stack }: Parser, slot: ValueSlot): Offset {
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
    else if (character === ',' && (slot !== 'property' || isEndAtComma(text, at))) return at
    else if (character === '/' && isWhite(text, at - 1) && /[/*]/.test(text[at + 1] ?? ''))
      return at
    else if (
      isWhite(text, at) &&
      slot === 'property' &&
      isBareKeyAt(text, at + 1) &&
      !isWhite(text, at + 1)
    ) {
      // `a: hello b: 1` on one line: the value ends before a key, but not after a dot or colon.
      if (!/[.:]/.test(text[at - 1] as string)) return at
    } else if (isQuote(character) && (character === '"' || isClosingQuote('“', character))) {
      if (slot === 'property' && isQuotedKeyAt(text, at)) return at
      const next = text[skipWhite(text, at + 1)]
      if (next === undefined || ',]}'.includes(next)) return at
    }
  }
  if (braces > 0 || brackets > 0) throw new CannotParse()
  return text.length
}

function isEndAtComma(text: string, comma: Offset): boolean {
  const next = skipWhite(text, comma + 1)
  const character = text[next]
  if (character === undefined || '},]{['.includes(character)) return true
  return isQuotedKeyAt(text, next) || isBareKeyAt(text, next) || isWordsThenKeyAt(text, next)
}
