/** Keeps program code in the place of a value as one text: `data["sales"]`, `(1 + 2) * 3`, `lambda x: x**2`. */
import type { Offset } from '../../text/span'
import { isQuote, matchAt } from './lookahead'
import type { Frame, Parser, ValueSlot } from './parser'

const OPERAND = /-?\d[\d_.]{0,40}(?:[eE][+-]?\d{1,9})?[\w.]{0,9}|[\p{L}_$][\p{L}\p{N}_$.]{0,200}/uy
const KEYWORD = /(?:lambda|new|function|async|await|typeof|not)[ \t]+[\w$(*]/y
const OPERATOR =
  /[ \t]{0,4}(?:\*\*?|%|<[<=]?|>>?>?=?|[=!]==?|=>|&&|\|\|?|\^|\?)[ \t]{0,4}[\w$("'[{.-]|[ \t]{1,4}[-+/][ \t]{1,4}[\w$("'[{.]|\+[ \t]{0,4}[\w$([]/y
const AFTER_STRING = /[ \t]{0,4}(?:[+*%][ \t]{0,4}[\p{L}\d_$([]|\.[a-z]\w{0,40}\()/uy
const AFTER_BRACKET = /(?:[+*%]|[-/][ \t])[ \t]{0,4}[\p{L}\d_$([{"']/uy
/** A decimal comma, or a comma between two numbers. No group of three follows it. */
const DECIMALS = /,(?!\d{3}(?!\d))\d{1,20}(?=\s{0,20}[,}])/y
/** A pattern with its slashes. */
const PATTERN = /\/(?:[^/\n\\*]|\\.)(?:[^/\n\\]|\\.){0,200}\/[a-z]{0,6}(?=\s{0,20}[,}\]])/y
/** `(see)`, but not `(None)` or `(a, b)`. */
const WORD_IN_BRACKETS =
  /^\((?!(?:true|false|null|True|False|None)\))[\p{L}_][\p{L}\p{N}_ ]{0,100}\)$/u
const CHARS_BETWEEN_CHECKS = 65_536
const LITERALS = new Set(['true', 'false', 'null', 'True', 'False', 'None'])
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Parses program code as a text. Returns false, and changes nothing, for any other value. */
export function parseExpression(parser: Parser, slot: ValueSlot): boolean {
  if (slot !== 'property' && slot !== 'element') return false
  const { text, position: start } = parser
  if (!isExpressionAt(parser, start, slot)) return false
  const end = expressionEnd(parser, start, slot)
  if (end === undefined) return false
  const code = text.slice(start, end)
  if (/^\([^()]*\)$/.test(code) && !WORD_IN_BRACKETS.test(code)) return false
  parser.fixTo('code_values', start, end, JSON.stringify(code))
  return true
}

/** Takes back a list or an object that starts an expression: `[0] * 3`. Returns false, and changes nothing, otherwise. */
export function continueExpression(parser: Parser, frame: Frame): boolean {
  const { text, fixes, position } = parser
  if (frame.comma !== undefined || (frame.lastKind !== 'array' && frame.lastKind !== 'object'))
    return false
  if (matchAt(AFTER_BRACKET, text, position) === undefined) return false
  const start = frame.lastStart
  const end = expressionEnd(parser, start, frame.kind === 'array' ? 'element' : 'property')
  if (end === undefined) return false
  while ((fixes.at(-1)?.start ?? -1) >= start) fixes.pop()
  parser.addFix('code_values', start, end, JSON.stringify(text.slice(start, end)))
  parser.position = end
  frame.lastKind = 'string'
  return true
}

function isExpressionAt(parser: Parser, at: Offset, slot: ValueSlot): boolean {
  const { text } = parser
  const character = text[at] as string
  if (character === '(') return true
  if (character === '/') return matchAt(PATTERN, text, at) !== undefined
  if (character === '-' && /[ \t]/.test(text[at + 1] ?? '')) return true
  if (character === '"' || character === "'") {
    const close = parser.closingQuoteOf(at)
    return close > 0 && matchAt(AFTER_STRING, text, close + 1) !== undefined
  }
  if (matchAt(KEYWORD, text, at) !== undefined) return true
  const operand = matchAt(OPERAND, text, at)
  if (operand === undefined || LITERALS.has(operand)) return false
  const end = at + operand.length
  const isName = !/[-\d]/.test(character)
  if (!isName && slot === 'property' && matchAt(DECIMALS, text, end) !== undefined) return true
  return (
    (isName && (text[end] === '(' || text[end] === '[')) ||
    matchAt(OPERATOR, text, end) !== undefined
  )
}

/** End of the code at `start`: before a comma, bracket or line end outside of its own brackets. */
function expressionEnd(parser: Parser, start: Offset, slot: ValueSlot): Offset | undefined {
  const { text, stack } = parser
  const open: string[] = []
  let at = start
  // The commas between the parameters of a lambda do not end it.
  if (text.startsWith('lambda', start)) {
    const colon = text.indexOf(':', start)
    if (colon < 0 || colon - start > 200) return undefined
    at = colon + 1
  }
  for (; at < text.length; at++) {
    if (!parser.scan()) return undefined
    if (parser.scanned % CHARS_BETWEEN_CHECKS === 0) parser.checkTime()
    const character = text[at] as string
    if (character === '"' || character === "'" || character === '`') {
      const close = parser.closingQuoteOf(at)
      if (close < 0) return undefined
      at = close
    } else if (CLOSING[character] !== undefined) open.push(CLOSING[character])
    else if (character === open.at(-1)) open.pop()
    else if (')]}'.includes(character)) {
      if (open.length > 0) return undefined
      if (character === ')' && stack.at(-1)?.style === 'plain') return undefined
      break
    } else if (open.length > 0) continue
    else if (character === '\n' || character === ';') break
    else if (character === ',' && (slot === 'element' || isEndOfExpression(parser, at))) break
  }
  return open.length > 0 ? undefined : parser.trimmedEnd(start, at)
}

function isEndOfExpression(parser: Parser, comma: Offset): boolean {
  const { text } = parser
  const next = parser.skipWhite(comma + 1)
  const character = text[next]
  if (character === undefined || '},]'.includes(character)) return true
  return parser.isQuotedKeyAt(next) || parser.isBareKeyAt(next) || isQuote(character)
}
