/** Handles brackets: closes what is open, and repairs brackets where the grammar allows none. */
import type { Offset } from '../../text/span'
import type { RepairRisk } from '../repair-strategies'
import { isQuote, matchAt } from './lookahead'
import { CannotParse, type Frame, type Parser } from './parser'

const CLOSING = { object: '}', array: ']' } as const

/** Handles the closing bracket at the parser's position, even one of the wrong kind. */
export function closeBracket(parser: Parser, bracket: '}' | ']' | ')'): void {
  const { stack, position: at } = parser
  const frame = stack.at(-1) as Frame
  const { style } = frame
  if (style === 'tuple' || bracket === ')') {
    if (style === 'tuple' && bracket === ')') {
      closeTuple(parser, frame, at, at + 1)
      popFrame(parser, at + 1)
    } else if (style === 'implicit' && stack.length === 1) closeImplicit(parser, frame)
    else throw new CannotParse()
    return
  }
  if (style === 'set') {
    dropTrailingComma(parser, frame)
    parser.addFix('python_collections', at, at + 1, ']')
    popFrame(parser, at + 1)
    return
  }
  const isOwn = bracket === CLOSING[frame.kind]
  if (style === 'implicit' && (!isOwn || stack.length > 1)) {
    closeImplicit(parser, frame)
    return
  }
  if (isOwn) {
    dropTrailingComma(parser, frame)
    if (frame.kind === 'array' && moveNameIntoArray(parser, frame)) return
    popFrame(parser, at + 1)
    if (style !== 'implicit') dropExtraClosings(parser, frame)
    return
  }
  const kind = bracket === '}' ? 'object' : 'array'
  const isOpen = stack.some((open) => open.kind === kind && open.style === 'plain')
  if (!isOpen || isMistypedBracket(parser)) {
    closeWithWrongBracket(parser, frame, bracket)
    return
  }
  // The bracket closes an outer frame: this one was left open.
  dropTrailingComma(parser, frame)
  parser.addFix('unclosed_brackets', at, at, CLOSING[frame.kind])
  popFrame(parser, at)
}

function popFrame(parser: Parser, next: Offset): void {
  parser.stack.pop()
  parser.position = next
  parser.endRoot(next)
}

/** True if a brace closes an array by mistake: in `"a": [1}, "b": 2}` the root object goes on after it. */
function isMistypedBracket(parser: Parser): boolean {
  const { text, stack, position } = parser
  const [grandparent, parent, frame] = [stack.at(-3), stack.at(-2), stack.at(-1)]
  if (frame?.kind !== 'array' || parent?.kind !== 'object' || grandparent !== undefined)
    return false
  const comma = parser.skipWhite(position + 1)
  return text[comma] === ',' && parser.isQuotedKeyAt(parser.skipWhite(comma + 1))
}

function closeWithWrongBracket(parser: Parser, frame: Frame, bracket: '}' | ']'): void {
  const { text, position: at } = parser
  const isDoubled = text[parser.trimmedEnd(1, at) - 1] === bracket && frame.comma === undefined
  if (isDoubled) {
    parser.removeTo('stray_brackets', at + 1)
    return
  }
  dropTrailingComma(parser, frame)
  parser.addFix('stray_brackets', at, at + 1, CLOSING[frame.kind])
  popFrame(parser, at + 1)
}

function dropTrailingComma(parser: Parser, frame: Frame): void {
  if (frame.comma === undefined) return
  const strategy = frame.style === 'tuple' ? 'python_collections' : 'trailing_commas'
  const { text, fixes } = parser
  const at = frame.comma
  if (text[at] === ',') parser.addFix(strategy, at, at + 1, '')
  else {
    // A `;` was already replaced with a comma.
    for (const made of fixes)
      if (made.start <= at && made.end > at) made.text = made.text.replace(/,\s*$/, '')
  }
  frame.comma = undefined
}

/** Removes one closing brace for each opening brace removed in the frame. */
function dropExtraClosings(parser: Parser, frame: Frame): void {
  const { text } = parser
  for (let left = frame.extraOpenings; left > 0; left--) {
    const next = parser.skipWhite(parser.position)
    if (text[next] !== '}') return
    parser.fixTo('doubled_braces', next, next + 1, '')
    parser.endRoot(next + 1)
  }
}

/** Closes a Python tuple: `(1, 2)` and `(1,)` become arrays, `(1)` becomes 1. */
function closeTuple(parser: Parser, frame: Frame, at: Offset, end: Offset, risk?: RepairRisk) {
  const isGroup = frame.count === 1 && frame.comma === undefined
  parser.addFix('python_collections', frame.start, frame.start + 1, isGroup ? '' : '[')
  dropTrailingComma(parser, frame)
  if (end > at) parser.addFix('python_collections', at, end, isGroup ? '' : ']')
  else parser.addFix('unclosed_brackets', at, end, isGroup ? '' : ']', risk)
}

/** Closes an object without brackets before the parser's position. */
function closeImplicit(parser: Parser, frame: Frame): void {
  dropTrailingComma(parser, frame)
  const end = parser.trimmedEnd(frame.start, parser.position)
  parser.addFix('unopened_brackets', end, end, '}')
  popFrame(parser, parser.position)
}

/** Closes all open frames at `at`: the end of the text, which may have been cut off, or of a code fence. */
export function closeAllFrames(parser: Parser, at: Offset): void {
  const { text, stack, fixes } = parser
  // What ends with the text may go on, unlike what a fence or the last pair without braces ends.
  const risk = at >= text.length ? 'loss' : 'guess'
  const isInCall = fixes.some(
    ({ strategy, start, end }) => strategy === 'call_tags' && text.slice(start, end).includes('('),
  )
  // A comment at the end is removed with the space in it.
  const end = fixes.reduce((last, fix) => Math.max(last, fix.end), parser.trimmedEnd(0, at))
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.style === 'tuple') closeTuple(parser, frame, end, end, risk)
    else {
      dropTrailingComma(parser, frame)
      const isImplicit = frame.style === 'implicit'
      const strategy = isImplicit ? 'unopened_brackets' : 'unclosed_brackets'
      const own = isImplicit && !isInCall ? 'guess' : risk
      parser.addFix(strategy, end, end, CLOSING[frame.kind], own)
    }
    popFrame(parser, at)
  }
}

const GLUED_NAME =
  /[^\s"'“”‘’`´,，、：:;{}[\]()]{1,200}(?: [^\s"'“”‘’`´,，、：:;{}[\]()]{1,200}){0,4}/y
const SPACES = /[ \t]{0,4}/y

/**
 * Moves a name glued to an empty array into it: `"rules": [""]cursor{"enabled": true}` becomes `"rules": ["cursor"],
 * "enabled": true`. Expects the array's closing bracket at the parser's position. Returns false, and changes nothing,
 * in all other cases.
 */
function moveNameIntoArray(parser: Parser, frame: Frame): boolean {
  const { text, position: close, stack } = parser
  const parent = stack.at(-2)
  const content = text.slice(frame.start + 1, Math.min(close, frame.start + 4))
  if (parent?.kind !== 'object' || (content !== '""' && content !== '') || close > frame.start + 3)
    return false
  const name = matchAt(GLUED_NAME, text, close + 1)
  if (name === undefined || /^\\[nrt]/.test(name)) return false
  const end = close + 1 + name.length
  const next = end + (matchAt(SPACES, text, end) as string).length
  if (text[next] !== '{' && text[next] !== ',' && text[next] !== '}' && text[next] !== '"')
    return false
  parser.addFix('glued_array_elements', frame.start, end, `["${name.replaceAll('\\', '\\\\')}"]`)
  stack.pop()
  parser.position = end
  if (text[next] === '{') {
    parser.addFix('glued_array_elements', next, next + 1, ', ')
    parent.comma = next
    parent.extraOpenings++
    parser.position = next + 1
  }
  return true
}

/** Removes doubled braces, as in a template: `{{"name": 1}}`. */
export function dropDoubledBraces(parser: Parser, frame: Frame): void {
  const { text } = parser
  const first = parser.skipWhite(parser.position)
  let end = first
  for (let next = first; text[next] === '{'; frame.extraOpenings++) {
    const inner = parser.skipWhite(next + 1)
    if (!isQuote(text[inner]) && !'{}'.includes(text[inner] ?? ' ') && !parser.isBareKeyAt(inner))
      break
    end = next + 1
    next = inner
  }
  if (end === first) return
  parser.fixTo('doubled_braces', first, end, '')
}

const NUMBER_SET = /\{\s{0,20}-?\d[\d.]{0,20}(?:\s{0,20},\s{0,20}-?\d[\d.]{0,20}){1,200}\s{0,20}\}/y

/** Opens a Python set of numbers such as `{1, 2}` as an array. Returns false for anything else. */
export function openNumberSet(parser: Parser): boolean {
  const { text, position: at } = parser
  if (matchAt(NUMBER_SET, text, at) === undefined) return false
  parser.fixTo('python_collections', at, at + 1, '[')
  parser.addValue('array', at)
  parser.pushFrame('array', 'set', at)
  return true
}

/** Turns a Python set such as `{'a', 'b'}` into an array. Returns false if the object is not a set. */
export function convertSetToArray(parser: Parser, frame: Frame): boolean {
  const { text } = parser
  if (text[parser.skipWhite(parser.position)] !== ',' || frame.style !== 'plain') return false
  if (!isQuote(text[parser.skipWhite(frame.start + 1)])) return false
  const next = parser.skipWhite(parser.skipWhite(parser.position) + 1)
  if (!isQuote(text[next]) || parser.isQuotedKeyAt(next)) return false
  // It may also be an object whose colon is missing.
  parser.addFix('python_collections', frame.start, frame.start + 1, '[', 'guess')
  Object.assign(frame, { kind: 'array', style: 'set', count: 1, lastKind: 'string' })
  return true
}

/** Handles an opening brace where a key is expected. */
export function openInObject(parser: Parser, frame: Frame, isAfterValue: boolean): void {
  const { position: at, stack } = parser
  const parent = stack.at(-2)
  const name = parser.skipWhite(at + 1)
  if (isAfterValue && !parser.isQuotedKeyAt(name) && !parser.isBareKeyAt(name))
    throw new CannotParse()
  if (parent?.kind === 'array' && !(isAfterValue && parser.firstUnmatchedBracket(at) === '}')) {
    // `[{"a": 1, {"b": 2}]` and `[{"a": 1{"b": 2}]`: the first object was left open.
    const before = frame.comma ?? parser.trimmedEnd(frame.lastStart, at)
    parser.addFix('unclosed_brackets', before, before, '}')
    if (frame.comma === undefined)
      parser.addFix('missing_commas', before, before, parser.isSpaced ? ', ' : ',')
    stack.pop()
    parent.comma = frame.comma ?? at
    return
  }
  if (!isAfterValue) throw new CannotParse()
  parser.addFix('missing_commas', at, at + 1, ', ', 'guess')
  frame.extraOpenings++
  frame.comma = at
  parser.position = at + 1
}

/** Joins an array without a key to the array before it: `"a": [1], [2]`. */
export function joinArrays(parser: Parser, frame: Frame): void {
  const { text, position: at } = parser
  if (frame.lastKind !== 'array') throw new CannotParse()
  if (frame.comma !== undefined && parser.firstUnmatchedBracket(at) === ']') {
    // `"a": [1], [2]]`: only the first bracket is missing.
    parser.addFix('unopened_brackets', frame.lastStart, frame.lastStart, '[')
  } else {
    let close = at - 1
    while (close > frame.lastStart && text[close] !== ']') close--
    if (text[close] !== ']' || (parser.fixes.at(-1)?.end ?? 0) > close) throw new CannotParse()
    parser.addFix('stray_brackets', close, close + 1, frame.comma === undefined ? ',' : '')
    parser.removeTo('stray_brackets', at + 1)
  }
  const opened = parser.pushFrame('array', 'plain', frame.lastStart)
  opened.count = 1
  opened.comma = frame.comma ?? at
  frame.comma = undefined
}
