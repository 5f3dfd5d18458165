import type { Offset } from '../../text/span'
import { isQuotedKeyAt, skipWhite, trimmedEnd } from './lookahead'
import { addFix, CannotParse, endRoot, type Frame, type Parser } from './parser'

const CLOSING = { object: '}', array: ']' } as const
const UNCLOSED = { object: 'unclosed_objects', array: 'unclosed_arrays' } as const

/** Handles the closing bracket at the parser's position, even one of the wrong kind. */
export function closeBracket(parser: Parser, bracket: '}' | ']' | ')'): void {
  const { stack, position: at } = parser
  const frame = stack.at(-1) as Frame
  if (frame.style === 'tuple') {
    if (bracket === ')') {
      closeTuple(parser, frame)
      return
    }
    throw new CannotParse()
  }
  if (bracket === ')') {
    if (frame.style === 'implicit' && stack.length === 1) {
      closeImplicit(parser, frame)
      return
    }
    throw new CannotParse()
  }
  if (frame.style === 'set') {
    dropTrailingComma(parser, frame)
    addFix(parser, 'python_collections', at, at + 1, ']')
    popFrame(parser, at + 1)
    return
  }
  const wanted = frame.kind === 'object' ? '}' : ']'
  if (bracket === wanted) {
    if (frame.style === 'implicit' && stack.length > 1) {
      closeImplicit(parser, frame)
      return
    }
    dropTrailingComma(parser, frame)
    if (frame.style === 'implicit') {
      popFrame(parser, at + 1)
      return
    }
    if (frame.kind === 'array' && moveNameIntoArray(parser, frame)) return
    popFrame(parser, at + 1)
    dropExtraClosings(parser, frame)
    return
  }
  if (frame.style === 'implicit') {
    closeImplicit(parser, frame)
    return
  }
  const kind = bracket === '}' ? 'object' : 'array'
  if (!stack.some((open) => open.kind === kind && open.style === 'plain')) {
    closeWithWrongBracket(parser, frame, bracket)
    return
  }
  if (isMistypedBracket(parser)) {
    closeWithWrongBracket(parser, frame, bracket)
    return
  }
  // The bracket closes an outer frame: this one was left open.
  dropTrailingComma(parser, frame)
  addFix(parser, UNCLOSED[frame.kind], at, at, CLOSING[frame.kind])
  popFrame(parser, at)
}

function popFrame(parser: Parser, next: Offset): void {
  parser.stack.pop()
  parser.position = next
  endRoot(parser, next)
}

/** True if a brace closes an array by mistake: in `"a": [1}, "b": 2}` the root object goes on after it. */
function isMistypedBracket({ text, stack, position }: Parser): boolean {
  const [grandparent, parent, frame] = [stack.at(-3), stack.at(-2), stack.at(-1)]
  if (frame?.kind !== 'array' || parent?.kind !== 'object' || grandparent !== undefined)
    return false
  const comma = skipWhite(text, position + 1)
  return text[comma] === ',' && isQuotedKeyAt(text, skipWhite(text, comma + 1))
}

function closeWithWrongBracket(parser: Parser, frame: Frame, bracket: '}' | ']'): void {
  const { text, position: at } = parser
  const isDoubled = text[trimmedEnd(text, 1, at) - 1] === bracket && frame.comma === undefined
  if (isDoubled) {
    addFix(parser, 'stray_brackets', at, at + 1, '')
    parser.position++
    return
  }
  dropTrailingComma(parser, frame)
  addFix(parser, 'stray_brackets', at, at + 1, CLOSING[frame.kind])
  popFrame(parser, at + 1)
}

function dropTrailingComma(parser: Parser, frame: Frame): void {
  if (frame.comma === undefined) return
  const strategy = frame.style === 'tuple' ? 'python_collections' : 'trailing_commas'
  const { text, fixes } = parser
  const at = frame.comma
  if (text[at] === ',') addFix(parser, strategy, at, at + 1, '')
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
    const next = skipWhite(text, parser.position)
    if (text[next] !== '}') return
    addFix(parser, 'doubled_braces', next, next + 1, '')
    parser.position = next + 1
    endRoot(parser, next + 1)
  }
}

/** Closes a Python tuple: `(1, 2)` and `(1,)` become arrays, `(1)` becomes 1. */
function closeTuple(parser: Parser, frame: Frame): void {
  const { position: at } = parser
  const isGroup = frame.count === 1 && frame.comma === undefined
  addFix(parser, 'python_collections', frame.start, frame.start + 1, isGroup ? '' : '[')
  dropTrailingComma(parser, frame)
  addFix(parser, 'python_collections', at, at + 1, isGroup ? '' : ']')
  popFrame(parser, at + 1)
}

/** Closes an object without brackets before the parser's position. */
function closeImplicit(parser: Parser, frame: Frame): void {
  const { text } = parser
  dropTrailingComma(parser, frame)
  const end = trimmedEnd(text, frame.start, parser.position)
  addFix(parser, 'unopened_objects', end, end, '}')
  popFrame(parser, parser.position)
}

/** Closes all open frames at `at`: the end of the text, which may have been cut off, or of a code fence. */
export function closeAllFrames(parser: Parser, at: Offset): void {
  const { text, stack } = parser
  let end = trimmedEnd(text, 0, at)
  const lastFix = parser.fixes.at(-1)
  if (lastFix !== undefined && lastFix.end > end) end = lastFix.end
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { comma } = frame
    dropTrailingComma(parser, frame)
    if (frame.style === 'tuple') {
      const isGroup = frame.count === 1 && comma === undefined
      addFix(parser, 'python_collections', frame.start, frame.start + 1, isGroup ? '' : '[')
      if (!isGroup) addFix(parser, 'unclosed_arrays', end, end, ']')
    } else if (frame.style === 'implicit') addFix(parser, 'unopened_objects', end, end, '}')
    else addFix(parser, UNCLOSED[frame.kind], end, end, CLOSING[frame.kind])
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
  GLUED_NAME.lastIndex = close + 1
  const name = GLUED_NAME.exec(text)?.[0]
  if (name === undefined || /^\\[nrt]/.test(name)) return false
  const end = close + 1 + name.length
  SPACES.lastIndex = end
  SPACES.test(text)
  const next = SPACES.lastIndex
  if (text[next] !== '{' && text[next] !== ',' && text[next] !== '}' && text[next] !== '"')
    return false
  addFix(parser, 'glued_array_elements', frame.start, end, `["${name.replaceAll('\\', '\\\\')}"]`)
  stack.pop()
  parser.position = end
  if (text[next] === '{') {
    addFix(parser, 'glued_array_elements', next, next + 1, ', ')
    parent.comma = next
    parent.extraOpenings++
    parser.position = next + 1
  }
  return true
}
