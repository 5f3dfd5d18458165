import type { Offset } from '../text/span'
import { isBareKeyAt, isLiteralAt, isQuote, skipToToken } from './look-ahead'
import { fix, type Reading } from './reading'

const JSON_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const TOKEN = /[^\s,\]}"'[{()`;<…，、]{1,400}/y
const LOOSE = /^([+-]?)(\d[\d_]*)?(\.)?([\d_]*)(?:([eE][+-]?)(\d*))?$/
const OTHER_BASE = /^[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/
const THOUSANDS = /-?[1-9]\d{0,2}(?:,\d{3}){1,6}(?:\.\d{1,20})?(?!\w)/y

/**
 * Reads the number at the position as it is spelt, or spelt anew where JSON has no such spelling.
 * False, with nothing read, when what stands there is a text that begins like a number.
 */
export function readNumber(reading: Reading): boolean {
  const { text, position: start } = reading
  if (readThousands(reading)) return true
  JSON_NUMBER.lastIndex = start
  if (JSON_NUMBER.test(text)) {
    const end = JSON_NUMBER.lastIndex
    if (isEndOfNumber(reading, end)) {
      reading.position = end
      return true
    }
  }
  TOKEN.lastIndex = start
  const token = TOKEN.exec(text)?.[0]
  if (token === undefined) return false
  const end = start + token.length
  const spelt = spellNumber(token)
  if (spelt === undefined || !isEndOfNumber(reading, end)) return false
  const isCutOff = end === text.length && /[-+.eE]$/.test(token)
  fix(reading, isCutOff ? 'truncated_input' : 'bad_numbers', start, end, spelt)
  reading.position = end
  return true
}

/** `1,234,567` in an object, where no comma can be followed by a number. */
function readThousands(reading: Reading): boolean {
  const { text, position: start, stack } = reading
  if (stack.at(-1)?.kind !== 'object') return false
  THOUSANDS.lastIndex = start
  const token = THOUSANDS.exec(text)?.[0]
  if (token === undefined) return false
  const end = start + token.length
  const next = text[skipToToken(text, end)]
  if (next !== undefined && next !== ',' && next !== '}') return false
  fix(reading, 'bad_numbers', start, end, token.replaceAll(',', ''), 'guess')
  reading.position = end
  return true
}

/** The number as JSON spells it; undefined when it is none or its digits would not survive. */
function spellNumber(token: string): string | undefined {
  if (OTHER_BASE.test(token)) {
    const digits = token.replace(/^[+-]/, '')
    return `${token.startsWith('-') ? '-' : ''}${BigInt(digits)}`
  }
  const match = LOOSE.exec(token)
  if (match === null) return undefined
  const [, sign, whole = '', point = '', fraction = '', exponent = '', power = ''] = match
  const digits = whole.replaceAll('_', '')
  // Leading zeros are a code, a time or an octal number: nobody knows which.
  if (digits.length > 1 && digits.startsWith('0')) return undefined
  if (digits === '' && point === '' && exponent !== '') return undefined
  if (digits === '' && point === '' && sign !== '-') return undefined
  const decimals = fraction.replaceAll('_', '')
  return `${sign === '-' ? '-' : ''}${digits || '0'}${point}${point === '' ? '' : decimals || '0'}${exponent}${exponent === '' ? '' : power || '0'}`
}

/** Whether what follows can follow a number: nothing glued, no words on the same line. */
function isEndOfNumber({ text, stack }: Reading, end: Offset): boolean {
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
