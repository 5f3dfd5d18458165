/** Parses values over a stack of open objects and arrays. Each step moves on or throws `CannotParse`. */
import type { Offset } from '../../text/span'
import {
  closeAllFrames,
  closeBracket,
  convertSetToArray,
  dropDoubledBraces,
  joinArrays,
  openInObject,
  openNumberSet,
} from './brackets'
import { insertMissingComma, parseKey } from './keys-and-commas'
import { isQuote } from './lookahead'
import { parseNumber, parseWord } from './parse-bare-value'
import { continueExpression, parseExpression } from './parse-expression'
import { parseMarkedString, parseString } from './parse-string'
import type { Frame, Parser, RepairFix, ValueKind, ValueSlot } from './parser'
import { CannotParse } from './parser'
import { skipTrivia } from './skip-text'

/** Parses one root value with its content. Stops after it, or at the end of the text. */
export function parseRoot(parser: Parser): void {
  parseValue(parser, 'root')
  parseOpenFrames(parser)
}

const STEPS_BETWEEN_CHECKS = 256

/** Parses until no frame is open. */
export function parseOpenFrames(parser: Parser): void {
  for (let step = 0; parser.stack.length > 0; step++) {
    if (step % STEPS_BETWEEN_CHECKS === 0) parser.checkTime()
    skipTrivia(parser)
    const { text, position: at } = parser
    if (at >= text.length || (parser.isInFence && text.startsWith('```', at))) {
      closeAllFrames(parser, at)
      return
    }
    const frame = parser.stack.at(-1) as Frame
    if (continueExpression(parser, frame)) continue
    if (frame.kind === 'object') stepInObject(parser, frame)
    else stepInArray(parser, frame)
  }
}

function parseValue(parser: Parser, slot: ValueSlot): void {
  const { text, position: start } = parser
  const character = text[start] as string
  if (parseExpression(parser, slot)) {
    parser.addValue('string', start)
    return
  }
  if (openNumberSet(parser)) return
  if (character === '{' || character === '[' || character === '(') {
    if (
      character === '(' &&
      slot === 'root' &&
      !/[\d("'[{)-]/.test(text[parser.skipWhite(start + 1)] ?? '')
    )
      throw new CannotParse()
    const kind = character === '{' ? 'object' : 'array'
    parser.addValue(kind, start)
    parser.position++
    const frame = parser.pushFrame(kind, character === '(' ? 'tuple' : 'plain', start)
    if (kind === 'object') dropDoubledBraces(parser, frame)
    return
  }
  let kind: ValueKind = 'string'
  if (isQuote(character)) parseString(parser, slot)
  else if (parseMarkedString(parser)) kind = 'string'
  else if (/[-+.\d]/.test(character) && parseNumber(parser)) kind = 'number'
  else kind = parseWord(parser, slot)
  parser.addValue(kind, start)
  parser.endRoot(parser.position)
}

/** Consumes a closing bracket or a comma; returns false for any other character. */
function consumeDelimiter(parser: Parser, frame: Frame, character: string): boolean {
  if (character === '}' || character === ']' || character === ')') closeBracket(parser, character)
  // A comma, or a character used in its place.
  else if (',;，、'.includes(character)) consumeComma(parser, frame, character)
  else return false
  return true
}

function stepInObject(parser: Parser, frame: Frame): void {
  const { text, position: at } = parser
  const character = text[at] as string
  if (consumeDelimiter(parser, frame, character)) return
  const isAfterValue = frame.count > 0 && frame.comma === undefined
  if (character === '{') {
    openInObject(parser, frame, isAfterValue)
    return
  }
  if (character === '[') {
    joinArrays(parser, frame)
    return
  }
  if (isAfterValue) {
    const next = text[parser.skipWhite(at + 1)]
    if (isQuote(character) && (next === '}' || next === undefined)) {
      parser.removeTo('stray_words', at + 1, 'guess')
      return
    }
    if (!isQuote(character) && !parser.isBareKeyAt(at) && !isKeyBeforeBracket(parser, at)) {
      dropWordsAfterValue(parser)
      return
    }
    insertMissingComma(parser, frame)
  }
  if (!parseKey(parser)) return
  const isFirst = frame.count === 0
  frame.count++
  frame.comma = undefined
  if (isFirst && convertSetToArray(parser, frame)) return
  parseColonAndValue(parser)
}

/** True for a key without its colon: `"a": [1]name{"b": 2}`. */
function isKeyBeforeBracket(parser: Parser, at: Offset): boolean {
  const { text } = parser
  const end = parser.nameEnd(at)
  const next = text[parser.skipWhite(end)]
  return end > at && (next === '{' || next === '[')
}

function dropWordsAfterValue(parser: Parser): void {
  const { text, position: at } = parser
  const match = /^[\p{L}\p{N}_][\p{L}\p{N}_ \t-]*/u.exec(text.slice(at, at + 200))
  if (match === null) throw new CannotParse()
  const end = at + match[0].length
  const next = text[parser.skipWhite(end)]
  if (next !== undefined && next !== '}' && next !== ',' && !parser.isWordsThenKeyAt(at))
    throw new CannotParse()
  parser.removeTo('stray_words', end)
}

function parseColonAndValue(parser: Parser): void {
  const { text } = parser
  const afterKey = parser.position
  skipTrivia(parser)
  const at = parser.position
  const character = text[at]
  if (character === ':') {
    // Repeated colons: `"a":: 1`.
    let end = ++parser.position
    while (text[end] === ':' || (text[end] === ' ' && text[end + 1] === ':')) end++
    if (end > parser.position) parser.removeTo('stray_colons', end)
  } else if (character === '：') {
    parser.fixTo('wide_marks', at, at + 1, ':')
  } else if (character === '=') {
    const end = text[at + 1] === '>' ? at + 2 : at + 1
    parser.fixTo('missing_colons', at, end, ':')
  } else if (character === undefined || ',}];'.includes(character) || parser.isQuotedKeyAt(at)) {
    // Also in `"a" "b": 1`, where the first key has no value.
    insertMissingValue(parser, character, afterKey, ': null')
    return
  } else {
    const risk = isQuote(text[afterKey - 1]) ? 'none' : 'guess'
    parser.addFix('missing_colons', afterKey, afterKey, at > afterKey ? ':' : ': ', risk)
  }
  const afterColon = parser.position
  skipTrivia(parser)
  const next = text[parser.position]
  if (next === undefined || ',}];'.includes(next)) {
    insertMissingValue(parser, next, afterColon, 'null')
    return
  }
  if (next === ':') throw new CannotParse()
  parseValue(parser, 'property')
}

function insertMissingValue(parser: Parser, next: string | undefined, at: Offset, value: string) {
  const strategy = next === undefined ? 'truncated_input' : 'missing_values'
  parser.addFix(strategy, at, at, value)
  parser.addValue('literal', at)
}

function consumeComma(parser: Parser, frame: Frame, character: string): void {
  const at = parser.position
  if (frame.count === 0 || frame.comma !== undefined) {
    // In a list, or at the start, something may be missing before the comma.
    const isCertain = frame.kind === 'object' && frame.count > 0
    parser.addFix('stray_commas', at, at + 1, '', isCertain ? 'none' : 'guess')
  } else {
    if (character === ';') parser.addFix('stray_commas', at, at + 1, ',')
    else if (character !== ',') parser.addFix('wide_marks', at, at + 1, ',')
    frame.comma = at
  }
  parser.position++
}

function stepInArray(parser: Parser, frame: Frame): void {
  const { text, position: at } = parser
  const character = text[at] as string
  if (consumeDelimiter(parser, frame, character)) return
  if (character === ':' && frame.lastKind === 'string' && frame.comma === undefined) {
    if (!closeBeforePair(parser, frame)) wrapInObject(parser, frame)
    return
  }
  if (character === ':') throw new CannotParse()
  if (frame.count > 0 && frame.comma === undefined) insertMissingComma(parser, frame)
  parseValue(parser, 'element')
}

/**
 * Closes an array before the pair whose colon is next: `{"a": [1, "b": 2}`. Returns false if the array closes later, or
 * if there is no object around it.
 */
function closeBeforePair(parser: Parser, frame: Frame): boolean {
  const { text, stack, position } = parser
  const parent = stack.at(-2)
  if (parent?.kind !== 'object' || frame.style !== 'plain' || frame.count < 2) return false
  if (parser.firstUnmatchedBracket(position) === ']') return false
  let end = frame.lastStart
  while (end > frame.start && /[\s,]/.test(text[end - 1] as string)) end--
  parser.addFix('unclosed_brackets', end, end, ']')
  const { fixes } = parser
  // A comma inserted at the same offset comes after the bracket.
  const made = fixes.pop() as RepairFix
  fixes.splice(fixes.findLastIndex(({ start }) => start < end) + 1, 0, made)
  stack.pop()
  parent.count++
  parent.comma = undefined
  parseColonAndValue(parser)
  return true
}

/** Turns a pair in an array into an object: `["name": 1]`. */
function wrapInObject(parser: Parser, frame: Frame): void {
  const { lastStart } = frame
  parser.addFix('unopened_brackets', lastStart, lastStart, '{')
  frame.lastKind = 'object'
  const object = parser.pushFrame('object', 'implicit', lastStart)
  object.count = 1
  parseColonAndValue(parser)
}
