/** Handles opening brackets where the grammar allows none. */
import { isBareKeyAt, isQuote, isQuotedKeyAt, skipWhite } from './lookahead'
import { addFix, CannotParse, type Frame, type Parser, pushFrame, type RepairFix } from './parser'

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

/** Turns a Python set such as `{'a', 'b'}` into an array. Returns false if the object is not a set. */
export function convertSetToArray(parser: Parser, frame: Frame): boolean {
  const { text, stack, fixes } = parser
  if (text[skipWhite(text, parser.position)] !== ',' || frame.style !== 'plain') return false
  if (!isQuote(text[skipWhite(text, frame.start + 1)])) return false
  const next = skipWhite(text, skipWhite(text, parser.position) + 1)
  if (!isQuote(text[next]) || isQuotedKeyAt(text, next)) return false
  addFix(parser, 'python_collections', frame.start, frame.start + 1, '[')
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
  if (parent?.kind === 'array' && !isAfterValue) {
    // `[{"a": 1, {"b": 2}]`: the first object was left open.
    const before = frame.comma ?? at
    addFix(parser, 'unclosed_objects', before, before, '}')
    if (frame.comma === undefined) addFix(parser, 'comma_before_brackets', at, at, ',')
    stack.pop()
    parent.comma = frame.comma ?? at
    return
  }
  if (!isAfterValue) throw new CannotParse()
  const name = skipWhite(text, at + 1)
  if (!isQuotedKeyAt(text, name) && !isBareKeyAt(text, name)) throw new CannotParse()
  addFix(parser, 'comma_before_brackets', at, at + 1, ', ')
  frame.extraOpenings++
  frame.comma = at
  parser.position = at + 1
}

/** Joins an array without a key to the array before it: `"a": [1], [2]`. */
export function joinArrays(parser: Parser, frame: Frame): void {
  const { text, position: at } = parser
  if (frame.lastKind !== 'array') throw new CannotParse()
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
