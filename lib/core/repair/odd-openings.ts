/** Brackets that open where none may, and what they stand for. */
import { isBareKeyAt, isQuote, isQuotedKeyAt, skipWhite } from './look-ahead'
import { openFrame } from './open-frame'
import { CannotRead, type Frame, fix, type Reading, type RepairFix } from './reading'

/** `{{"name": 1}}`, as templates write braces. */
export function dropDoubledBraces(reading: Reading, frame: Frame): void {
  const { text } = reading
  const first = skipWhite(text, reading.position)
  let end = first
  for (let next = first; text[next] === '{'; frame.extraOpenings++) {
    const inner = skipWhite(text, next + 1)
    if (!isQuote(text[inner]) && !'{}'.includes(text[inner] ?? ' ') && !isBareKeyAt(text, inner))
      break
    end = next + 1
    next = inner
  }
  if (end === first) return
  fix(reading, 'doubled_braces', first, end, '')
  reading.position = end
}

/** `{'a', 'b'}` is a set in Python: a list in JSON. */
export function turnIntoSet(reading: Reading, frame: Frame): boolean {
  const { text, stack, fixes } = reading
  if (text[skipWhite(text, reading.position)] !== ',' || frame.style !== 'plain') return false
  if (!isQuote(text[skipWhite(text, frame.start + 1)])) return false
  const next = skipWhite(text, skipWhite(text, reading.position) + 1)
  if (!isQuote(text[next]) || isQuotedKeyAt(text, next)) return false
  fix(reading, 'python_collections', frame.start, frame.start + 1, '[')
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

/** An opening brace where a name was expected. */
export function openInObject(reading: Reading, frame: Frame, isAfterValue: boolean): void {
  const { text, position: at, stack } = reading
  const parent = stack.at(-2)
  if (parent?.kind === 'array' && !isAfterValue) {
    // `[{"a": 1, {"b": 2}]`: the first object was not closed.
    const before = frame.comma ?? at
    fix(reading, 'unclosed_objects', before, before, '}')
    if (frame.comma === undefined) fix(reading, 'comma_before_brackets', at, at, ',')
    stack.pop()
    parent.comma = frame.comma ?? at
    return
  }
  if (!isAfterValue) throw new CannotRead()
  const name = skipWhite(text, at + 1)
  if (!isQuotedKeyAt(text, name) && !isBareKeyAt(text, name)) throw new CannotRead()
  fix(reading, 'comma_before_brackets', at, at + 1, ', ')
  frame.extraOpenings++
  frame.comma = at
  reading.position = at + 1
}

/** `"a": [1], [2]`: a list without a name goes on the list before it. */
export function joinArrays(reading: Reading, frame: Frame): void {
  const { text, position: at } = reading
  if (frame.lastKind !== 'array') throw new CannotRead()
  let close = at - 1
  while (close > frame.lastStart && text[close] !== ']') close--
  if (text[close] !== ']' || (reading.fixes.at(-1)?.end ?? 0) > close) throw new CannotRead()
  fix(reading, 'stray_brackets', close, close + 1, frame.comma === undefined ? ',' : '')
  fix(reading, 'stray_brackets', at, at + 1, '')
  reading.position = at + 1
  const opened = openFrame(reading, 'array', 'plain', frame.lastStart)
  opened.count = 1
  opened.comma = frame.comma ?? at
  frame.comma = undefined
}
