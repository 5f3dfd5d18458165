/** Finds JSON inside a string whose quotes are not escaped: `"content": "{"name": "x"}"`. */
import type { Offset } from '../../text/span'
import { isQuotedKeyAt, skipWhite } from './lookahead'
import { type Parser, scan } from './parser'

/** Offset at which the bracket at `at` closes, if the string that starts at `from` surely continues after it. */
export function unescapedJsonEnd(parser: Parser, from: Offset, at: Offset): Offset | undefined {
  const { text } = parser
  const first = skipWhite(text, at + 1)
  if (text[first] !== '"') return undefined
  // An array must be the entire content: words between quotes and commas are handled one by one.
  const isList = text[at] === '['
  if (isList ? skipWhite(text, from) !== at : !isQuotedKeyAt(text, first)) return undefined
  const isBeforeQuote = (close: Offset) => text[skipWhite(text, close + 1)] === '"'
  const jsonClose = closeAsJson(parser, at)
  if (jsonClose !== undefined && isBeforeQuote(jsonClose)) return jsonClose
  const close = closingBrackets(parser)[at] as Offset
  if (close === 0 || close > parser.lastQuote) return undefined
  return isList && !isBeforeQuote(close) ? undefined : close
}

/** Offset of the closing bracket, if quotes and backslashes mean what they mean in JSON. */
function closeAsJson(parser: Parser, start: Offset): Offset | undefined {
  const { text } = parser
  let depth = 0
  let isInString = false
  for (let at = start; at < text.length; at++) {
    if (!scan(parser)) return undefined
    const character = text[at]
    if (character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      if (--depth === 0) return at
    }
  }
  return undefined
}

/** Offset of the closing bracket by that of the opening one, 0 if there is none. Ignores strings. */
function closingBrackets(parser: Parser): Int32Array {
  const { text } = parser
  if (parser.closings !== undefined) return parser.closings
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
  parser.closings = closings
  return closings
}
