/** JSON in a text whose quotes nothing escapes, alone or within code: `"content": "{"name": "x"}"`. */
import type { Offset } from '../text/span'
import { isQuotedKeyAt, skipWhite } from './look-ahead'
import type { Reading } from './reading'

/** Brackets within brackets are looked at again: no more than a few times the text altogether. */
const MOST_SCANS = 4

/**
 * Where the brackets close that open at `at`, if they belong to a text that goes on behind them;
 * undefined where nothing says so. `from` is where the text begins.
 */
export function embeddedEnd(reading: Reading, from: Offset, at: Offset): Offset | undefined {
  const { text } = reading
  const first = skipWhite(text, at + 1)
  if (text[first] !== '"') return undefined
  // A list counts only where it is the whole text: words between quotes and commas are handled one by one.
  const isList = text[at] === '['
  if (isList ? skipWhite(text, from) !== at : !isQuotedKeyAt(text, first)) return undefined
  const isBeforeQuote = (close: Offset) => text[skipWhite(text, close + 1)] === '"'
  const withTexts = closeAsJson(reading, at)
  if (withTexts !== undefined && isBeforeQuote(withTexts)) return withTexts
  const close = closingBrackets(reading)[at] ?? 0
  if (close === 0 || close > reading.lastQuote) return undefined
  return isList && !isBeforeQuote(close) ? undefined : close
}

/** The closing bracket when quotes and backslashes mean what they mean in JSON. */
function closeAsJson(reading: Reading, start: Offset): Offset | undefined {
  const { text } = reading
  let depth = 0
  let isInText = false
  for (let at = start; at < text.length; at++) {
    if (++reading.scanned > MOST_SCANS * text.length) return undefined
    const character = text[at]
    if (character === '\\') at++
    else if (character === '"') isInText = !isInText
    else if (isInText) continue
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      if (--depth === 0) return at
    }
  }
  return undefined
}

/** By offset of an opening bracket its closing one, 0 where there is none; texts not regarded. Worked out once a reading. */
function closingBrackets(reading: Reading): Int32Array {
  const { text } = reading
  if (reading.closings !== undefined) return reading.closings
  const closings = new Int32Array(text.length)
  const braces: Offset[] = []
  const brackets: Offset[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') braces.push(at)
    else if (character === '[') brackets.push(at)
    else if (character === '}' || character === ']') {
      const start = (character === '}' ? braces : brackets).pop()
      if (start !== undefined) closings[start] = at
    }
  }
  reading.closings = closings
  return closings
}
