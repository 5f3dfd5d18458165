import type { Offset } from '../text/span'
import { gluedElement } from './glued-element'
import { isQuotedKeyAt, isWhite, skipWhite } from './look-ahead'
import { CannotRead, type Frame, fix, type Reading } from './reading'

const CLOSING = { object: '}', array: ']' } as const
const UNCLOSED = { object: 'unclosed_objects', array: 'unclosed_arrays' } as const

/** Ends what the bracket at the position closes; brackets of the wrong kind are put right. */
export function closeBracket(reading: Reading, bracket: '}' | ']' | ')'): void {
  const { stack, position: at } = reading
  const frame = stack.at(-1) as Frame
  if (frame.style === 'tuple') {
    if (bracket === ')') {
      closeTuple(reading, frame)
      return
    }
    throw new CannotRead()
  }
  if (bracket === ')') {
    if (frame.style === 'implicit' && stack.length === 1) {
      closeImplicit(reading, frame)
      return
    }
    throw new CannotRead()
  }
  if (frame.style === 'set') {
    dropTrailingComma(reading, frame)
    fix(reading, 'python_collections', at, at + 1, ']')
    pop(reading, at + 1)
    return
  }
  const wanted = frame.kind === 'object' ? '}' : ']'
  if (bracket === wanted) {
    if (frame.style === 'implicit' && stack.length > 1) {
      closeImplicit(reading, frame)
      return
    }
    dropTrailingComma(reading, frame)
    if (frame.style === 'implicit') {
      pop(reading, at + 1)
      return
    }
    if (frame.kind === 'array' && gluedElement(reading, frame)) return
    pop(reading, at + 1)
    dropExtraClosings(reading, frame)
    return
  }
  if (frame.style === 'implicit') {
    closeImplicit(reading, frame)
    return
  }
  const kind = bracket === '}' ? 'object' : 'array'
  if (!stack.some((open) => open.kind === kind && open.style === 'plain')) {
    closeWithWrongBracket(reading, frame, bracket)
    return
  }
  if (isMistyped(reading)) {
    closeWithWrongBracket(reading, frame, bracket)
    return
  }
  // The bracket belongs to something further out: this one was not closed.
  dropTrailingComma(reading, frame)
  fix(reading, UNCLOSED[frame.kind], at, at, CLOSING[frame.kind])
  pop(reading, at)
}

function pop(reading: Reading, next: Offset): void {
  reading.stack.pop()
  reading.position = next
  const root = reading.roots.at(-1)
  if (reading.stack.length === 0 && root !== undefined) root.end = next
}

/** `"a": [1}, "b": 2}`: the brace closes the list, since properties of the only object go on. */
function isMistyped({ text, stack, position }: Reading): boolean {
  const [grandparent, parent, frame] = [stack.at(-3), stack.at(-2), stack.at(-1)]
  if (frame?.kind !== 'array' || parent?.kind !== 'object' || grandparent !== undefined)
    return false
  const comma = skipWhite(text, position + 1)
  return text[comma] === ',' && isQuotedKeyAt(text, skipWhite(text, comma + 1))
}

function closeWithWrongBracket(reading: Reading, frame: Frame, bracket: '}' | ']'): void {
  const { text, position: at } = reading
  let previous = at - 1
  while (previous > 0 && isWhite(text, previous)) previous--
  const isDoubled = text[previous] === bracket && frame.comma === undefined
  if (isDoubled) {
    fix(reading, 'stray_brackets', at, at + 1, '')
    reading.position++
    return
  }
  dropTrailingComma(reading, frame)
  fix(reading, 'stray_brackets', at, at + 1, CLOSING[frame.kind])
  pop(reading, at + 1)
}

function dropTrailingComma(reading: Reading, frame: Frame): void {
  if (frame.comma === undefined) return
  const strategy = frame.style === 'tuple' ? 'python_collections' : 'trailing_commas'
  const { text, fixes } = reading
  const at = frame.comma
  if (text[at] === ',') fix(reading, strategy, at, at + 1, '')
  else {
    // `;` and the like were made commas when they were read.
    const made = fixes.findLast(({ start, end }) => start <= at && end > at)
    if (made?.text === ',') made.text = ''
  }
  frame.comma = undefined
}

/** As many closing braces as opening ones were left out. */
function dropExtraClosings(reading: Reading, frame: Frame): void {
  const { text } = reading
  for (let left = frame.extraOpenings; left > 0; left--) {
    const next = skipWhite(text, reading.position)
    if (text[next] !== '}') return
    fix(reading, 'doubled_braces', next, next + 1, '')
    reading.position = next + 1
    const root = reading.roots.at(-1)
    if (reading.stack.length === 0 && root !== undefined) root.end = next + 1
  }
}

/** `(1, 2)` and `(1,)` are lists, `(1)` is 1. */
function closeTuple(reading: Reading, frame: Frame): void {
  const { position: at } = reading
  const isGroup = frame.count === 1 && frame.comma === undefined
  fix(reading, 'python_collections', frame.start, frame.start + 1, isGroup ? '' : '[')
  dropTrailingComma(reading, frame)
  fix(reading, 'python_collections', at, at + 1, isGroup ? '' : ']')
  pop(reading, at + 1)
}

/** Ends an object that has no brackets, before the position. */
function closeImplicit(reading: Reading, frame: Frame): void {
  const { text } = reading
  dropTrailingComma(reading, frame)
  let end = reading.position
  while (end > frame.start && isWhite(text, end - 1)) end--
  fix(reading, 'unopened_objects', end, end, '}')
  pop(reading, reading.position)
}

/** The text ends: whatever is still open is closed after its last value. More may have followed, nobody knows. */
export function closeRest(reading: Reading): void {
  const { text, stack } = reading
  let end = text.length
  while (end > 0 && isWhite(text, end - 1)) end--
  const lastFix = reading.fixes.at(-1)
  if (lastFix !== undefined && lastFix.end > end) end = lastFix.end
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { comma } = frame
    dropTrailingComma(reading, frame)
    if (comma !== undefined && end < comma + 1) end = comma + 1
    if (frame.style === 'tuple') {
      const isGroup = frame.count === 1 && comma === undefined
      fix(reading, 'python_collections', frame.start, frame.start + 1, isGroup ? '' : '[')
      if (!isGroup) fix(reading, 'unclosed_arrays', end, end, ']', 'guess')
    } else if (frame.style === 'implicit') fix(reading, 'unopened_objects', end, end, '}')
    else fix(reading, UNCLOSED[frame.kind], end, end, CLOSING[frame.kind], 'guess')
    pop(reading, text.length)
  }
}
