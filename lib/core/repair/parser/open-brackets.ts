/** Handles opening brackets where the grammar allows none. */
import {
  firstUnmatchedBracket,
  isBareKeyAt,
  isQuote,
  isQuotedKeyAt,
  skipWhite,
  trimmedEnd,
} from './lookahead'
import {
  addFix,
  addValue,
  CannotParse,
  type Frame,
  type Parser,
  pushFrame,
  type RepairFix,
} from './parser'

/** Removes doubled braces, as in a template: `{{"name": 1}}`. */
export function dropDoubledBraces(parser: Parser, frame: Frame): void {
  const { text } = parser
  const first = skipWhite(text, parser.position)
  let end = first
  for (let next = first; text[next] === '{'; frame.extraOpenings++) {
    const inner = skipWhite(text, next + 1)
    if (!isQuote(text[inner]) && !'{}'.includes(text[inner] ?? ' ') && !isBareKeyAt(text, inner))
      break
    end = next + 1
    next = inner
  }
  if (end === first) return
  addFix(parser, 'doubled_braces', first, end, '')
  parser.position = end
}

const NUMBER_SET = /\{\s{0,20}-?\d[\d.]{0,20}(?:\s{0,20},\s{0,20}-?\d[\d.]{0,20}){1,200}\s{0,20}\}/y

/** Opens a Python set of numbers such as `{1, 2}` as an array. Returns false for anything else. */
export function openNumberSet(parser: Parser): boolean {
  const { text, position: at } = parser
  NUMBER_SET.lastIndex = at
  if (!NUMBER_SET.test(text)) return false
  addFix(parser, 'python_collections', at, at + 1, '[')
  parser.position++
  addValue(parser, 'array', at)
  pushFrame(parser, 'array', 'set', at)
  return true
}

/** Turns a Python set such as `{'a', 'b'}` into an array. Returns false if the object is not a set. */
export function convertSetToArray(parser: Parser, frame: Frame): boolean {
  const { text, stack, fixes } = parser
  if (text[skipWhite(text, parser.position)] !== ',' || frame.style !== 'plain') return false
  if (!isQuote(text[skipWhite(text, frame.start + 1)])) return false
  const next = skipWhite(text, skipWhite(text, parser.position) + 1)
  if (!isQuote(text[next]) || isQuotedKeyAt(text, next)) return false
  // It may also be an object whose colon is missing.
  addFix(parser, 'python_collections', frame.start, frame.start + 1, '[', 'guess')
  for (let index = fixes.length - 1; index >= 0; index--) {
    const made = fixes[index] as RepairFix
    if (made.start < frame.start) break
    if (made.strategy === 'single_quoted_keys') {
      fixes[index] = { ...made, strategy: 'single_quoted_values' }
    }
  }
  stack[stack.length - 1] = { ...frame, kind: 'array', style: 'set', count: 1, lastKind: 'string' }
  return true
}

/** Handles an opening brace where a key is expected. */
export function openInObject(parser: Parser, frame: Frame, isAfterValue: boolean): void {
  const { text, position: at, stack } = parser
  const parent = stack.at(-2)
  const name = skipWhite(text, at + 1)
  if (isAfterValue && !isQuotedKeyAt(text, name) && !isBareKeyAt(text, name))
    throw new CannotParse()
  if (parent?.kind === 'array' && !(isAfterValue && closesTwice(parser, '}'))) {
    // `[{"a": 1, {"b": 2}]` and `[{"a": 1{"b": 2}]`: the first object was left open.
    const before = frame.comma ?? trimmedEnd(text, frame.lastStart, at)
    addFix(parser, 'unclosed_objects', before, before, '}')
    if (frame.comma === undefined)
      addFix(parser, 'comma_before_brackets', before, before, parser.isSpaced ? ', ' : ',')
    stack.pop()
    parent.comma = frame.comma ?? at
    return
  }
  if (!isAfterValue) throw new CannotParse()
  addFix(parser, 'comma_before_brackets', at, at + 1, ', ', 'guess')
  frame.extraOpenings++
  frame.comma = at
  parser.position = at + 1
}

/** Joins an array without a key to the array before it: `"a": [1], [2]`. */
export function joinArrays(parser: Parser, frame: Frame): void {
  const { text, position: at } = parser
  if (frame.lastKind !== 'array') throw new CannotParse()
  if (frame.comma !== undefined && closesTwice(parser, ']')) {
    // `"a": [1], [2]]`: only the first bracket is missing.
    addFix(parser, 'unopened_arrays', frame.lastStart, frame.lastStart, '[')
    const outer = pushFrame(parser, 'array', 'plain', frame.lastStart)
    outer.count = 1
    outer.comma = frame.comma
    outer.lastKind = 'array'
    outer.lastStart = frame.lastStart
    frame.comma = undefined
    return
  }
  let close = at - 1
  while (close > frame.lastStart && text[close] !== ']') close--
  if (text[close] !== ']' || (parser.fixes.at(-1)?.end ?? 0) > close) throw new CannotParse()
  addFix(parser, 'stray_brackets', close, close + 1, frame.comma === undefined ? ',' : '')
  addFix(parser, 'stray_brackets', at, at + 1, '')
  parser.position = at + 1
  const opened = pushFrame(parser, 'array', 'plain', frame.lastStart)
  opened.count = 1
  opened.comma = frame.comma ?? at
  frame.comma = undefined
}

/** True if the first bracket that closes more than the value at the parser's position is `bracket`. */
function closesTwice(parser: Parser, bracket: '}' | ']'): boolean {
  return firstUnmatchedBracket(parser, parser.position) === bracket
}
