/**
 * Writes a JSON value with any white space, escapes, repeated keys and unusual numbers.
 * The meaning of a text is what `JSON.parse` returns, not the value it was written from.
 */
import fc from 'fast-check'
import type { JsonValue } from './chat-messages'

export const anyStyle = fc.record({
  indent: fc.constantFrom('', '  ', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  separator: fc.constantFrom(':', ': ', ' \t:\t'),
  /** Percentage of characters written as `\u` escapes. */
  escapedPercent: fc.constantFrom(0, 20, 100),
  /** Percentage of members with a repeated key or an unusual neighbour. */
  oddPercent: fc.constantFrom(0, 10),
  seed: fc.integer({ min: 1, max: 0x7ffffffe }),
})
export type JsonStyle = typeof anyStyle extends fc.Arbitrary<infer Style> ? Style : never

const ODD_NUMBERS = '9007199254740993 -0 1.0 1e5 1E+2 0.10 123456789012345678901234567890'.split(
  ' ',
)

/** Writes a value on one line, or on many when the style indents. */
export function writeJson(value: JsonValue, style: JsonStyle): string {
  const chance = chances(style.seed)
  const isHit = (percent: number) => chance(100) < percent
  const text = (content: string): string => {
    const units = Array.from({ length: content.length }, (_, at) => content.charCodeAt(at))
    return `"${units.map((unit) => (isHit(style.escapedPercent) ? escaped(unit) : plain(unit))).join('')}"`
  }
  const number = (content: number): string => {
    const written = JSON.stringify(content)
    return isHit(style.oddPercent) && Number.isInteger(content) && !written.includes('e')
      ? `${written}${['.0', '.000', 'e0', 'E+0'][chance(4)]}`
      : written
  }
  const list = (open: string, items: readonly string[], close: string, depth: number): string => {
    if (items.length === 0) return open + close
    if (style.indent === '') return `${open}${items.join(',')}${close}`
    const inner = style.lineEnd + style.indent.repeat(depth + 1)
    return `${open}${inner}${items.join(`,${inner}`)}${style.lineEnd}${style.indent.repeat(depth)}${close}`
  }
  const write = (content: JsonValue, depth: number): string => {
    if (typeof content === 'string') return text(content)
    if (typeof content === 'number') return number(content)
    if (typeof content !== 'object' || content === null) return JSON.stringify(content)
    const items = Array.isArray(content) && content.map((item) => write(item, depth + 1))
    if (items) return list('[', items, ']', depth)
    const members = Object.entries(content).flatMap(([key, member]) => {
      const written = `${text(key)}${style.separator}${write(member, depth + 1)}`
      // Of repeated keys the last counts, so the odd one goes first.
      if (isHit(style.oddPercent)) return [`${text(key)}${style.separator}"repeated"`, written]
      if (!isHit(style.oddPercent)) return [written]
      const odd = ODD_NUMBERS[chance(ODD_NUMBERS.length)]
      return [written, `"odd${depth}"${style.separator}${odd}`]
    })
    return list('{', members, '}', depth)
  }
  return write(value, 0)
}

function escaped(unit: number): string {
  const digits = unit.toString(16).padStart(4, '0')
  return `\\u${unit % 2 === 0 ? digits : digits.toUpperCase()}`
}

/** Lone surrogates and line separators are written unescaped: JSON allows both. */
function plain(unit: number): string {
  if (unit === 0x2f) return '\\/'
  return unit < 0x20 || unit === 0x22 || unit === 0x5c
    ? JSON.stringify(String.fromCharCode(unit)).slice(1, -1)
    : String.fromCharCode(unit)
}

/** Returns a generator of integers below a limit, the same for the same seed (Park and Miller). */
function chances(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 48_271) % 0x7fffffff
    return state % limit
  }
}
