import type { Offset } from '../../text/span'
import { isBareKeyAt, isLiteralAt, isQuote, skipToToken } from './lookahead'
import { addFix, type Parser } from './parser'

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
  JSON_NUMBER.lastIndex = start
  if (JSON_NUMBER.test(text)) {
    const end = JSON_NUMBER.lastIndex
    if (isEndOfNumber(parser, end)) {
      parser.position = end
      return true
    }
  }
  TOKEN.lastIndex = start
  const token = TOKEN.exec(text)?.[0] as string
  const end = start + token.length
  const json = toJsonNumber(token, end === text.length)
  if (json === undefined || !isEndOfNumber(parser, end)) return false
  // `1. {` is a list mark.
  if (token.endsWith('.') && !'.,]}'.includes(text[skipToToken(text, end)] ?? '.')) return false
  const isCutOff = end === text.length && /[-+.eE]$/.test(token)
  if (isCutOff) addFix(parser, 'truncated_input', start, end, json)
  else addFix(parser, 'bad_numbers', start, end, json, /e[+-]?$/i.test(token) ? 'guess' : 'none')
  parser.position = end
  return true
}

/** Parses `1,234,567` in an object, where a number cannot follow a comma. */
function parseThousands(parser: Parser): boolean {
  const { text, position: start, stack } = parser
  if (stack.at(-1)?.kind !== 'object') return false
  THOUSANDS.lastIndex = start
  const token = THOUSANDS.exec(text)?.[0]
  if (token === undefined) return false
  const end = start + token.length
  const next = text[skipToToken(text, end)]
  if (next !== undefined && next !== ',' && next !== '}') return false
  addFix(parser, 'bad_numbers', start, end, token.replaceAll(',', ''), 'guess')
  parser.position = end
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
function isEndOfNumber({ text, stack }: Parser, end: Offset): boolean {
  const next = skipToToken(text, end)
  const character = text[next]
  if (character === undefined || ',]}{[;<…，、'.includes(character) || isQuote(character))
    return true
  if (character === ')') return stack.at(-1)?.style === 'tuple' || stack.length <= 1
  if (text.startsWith('//', next) || text.startsWith('/*', next) || text.startsWith('...', next))
    return true
  if (character === '\\' || character === '#')
    return next > end || /["nrt]/.test(text[next + 1] ?? '')
  if (text.slice(end, next).includes('\n')) return true
  if (stack.at(-1)?.kind === 'object') return isBareKeyAt(text, next) && /[\p{L}_]/u.test(character)
  return next > end && (/[\d-]/.test(character) || isLiteralAt(text, next))
}
