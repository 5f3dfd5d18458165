import type { Edit, Offset } from '../text/span'
import { joinRoots } from './join-roots'
import { isBareKeyAt, isQuotedKeyAt, isWhite, nameEnd, skipWhite } from './look-ahead'
import { openFrame } from './open-frame'
import { passEnvelope } from './read-envelope'
import { readOpen, readRoot } from './read-values'
import {
  CannotRead,
  type Frame,
  fix,
  MAX_ROOTS,
  type Reading,
  type RepairFix,
  startReading,
} from './reading'
import type { StrategyName } from './strategies'

/**
 * The corrections that make `text` JSON, in ascending order, none overlapping; that they do is for the caller to see.
 * A trusting reading takes every quote at its word, others ask whether what follows fits.
 * Throws `CannotRead` where the reader knows no good way. Only `allowed` strategies are used, all by default.
 */
export function readArguments(
  text: string,
  isTrusting: boolean,
  allowed?: ReadonlySet<StrategyName>,
): readonly RepairFix[] {
  const reading = startReading(text, isTrusting, allowed)
  if (skipWhite(text, 0) === text.length) {
    fix(reading, 'empty_arguments', 0, text.length, '{}')
    return reading.fixes
  }
  unquoteObject(reading)
  let hasComma = false
  while (passEnvelope(reading)) {
    const { position: at } = reading
    if (text[at] === ',') {
      hasComma = passRootComma(reading)
      continue
    }
    if (reopenObject(reading, hasComma)) {
      hasComma = false
      continue
    }
    const count = reading.roots.length
    if (count === MAX_ROOTS) throw new CannotRead()
    if (isQuotedKeyAt(text, at) || isBareKeyAt(text, at) || isKeyword(reading)) {
      openImplicitObject(reading)
    } else readRoot(reading)
    const root = reading.roots[count]
    if (root === undefined) throw new CannotRead()
    root.hasCommaBefore = hasComma
    hasComma = false
    if (reading.position <= at) throw new CannotRead()
  }
  joinRoots(reading)
  return inOrder(reading.fixes)
}

/** `"{"a": 1}"`: an object in quotes whose own quotes nothing escapes. */
function unquoteObject(reading: Reading): void {
  const { text } = reading
  const start = skipWhite(text, 0)
  if (!/^["']\s*\{\s*["'}]/.test(text.slice(start, start + 200))) return
  let end = text.length
  while (end > start && isWhite(text, end - 1)) end--
  if (
    end - start < 4 ||
    text[end - 1] !== text[start] ||
    !/\}\s*$/.test(text.slice(Math.max(start, end - 50), end - 1))
  )
    return
  fix(reading, 'quoted_object', start, start + 1, '')
  reading.position = start + 1
}

/** A comma between roots; the last one, with nothing behind it, is taken out. */
function passRootComma(reading: Reading): boolean {
  const { text, position: at } = reading
  reading.position++
  if (skipWhite(text, at + 1) < text.length) return true
  fix(reading, 'trailing_commas', at, at + 1, '')
  return false
}

/** `{"a": 1}, "b": 2}`: the object was closed too early. */
function reopenObject(reading: Reading, hasComma: boolean): boolean {
  const { text, position: at, roots } = reading
  const last = roots.at(-1)
  if (last?.kind !== 'object' || text[last.end - 1] !== '}') return false
  if (!isQuotedKeyAt(text, at) && !isBareKeyAt(text, at) && !isPairEnd(text, at)) return false
  if ((reading.fixes.at(-1)?.end ?? 0) > last.end - 1) return false
  fix(reading, 'stray_brackets', last.end - 1, last.end, '')
  const frame: Frame = openFrame(reading, 'object', 'plain', last.start)
  const isEmpty = text[skipWhite(text, last.start + 1)] === '}'
  frame.count = isEmpty ? 0 : 1
  frame.lastKind = 'string'
  frame.lastStart = last.start
  let comma: Offset = last.end
  while (comma < at && text[comma] !== ',') comma++
  if (hasComma && !isEmpty) frame.comma = comma
  if (hasComma && isEmpty) fix(reading, 'stray_commas', comma, comma + 1, '')
  readOpen(reading)
  return true
}

/** `"name" "value"}`: a pair without its colon, and the end of its object. */
function isPairEnd(text: string, at: Offset): boolean {
  return /^"[^"\\\n]{1,100}"\s{0,8}"[^"\n]{0,400}"\s{0,8}\}/.test(text.slice(at, at + 600))
}

/** `search(query="text")`: names as Python passes them. */
function isKeyword({ text, position, fixes }: Reading): boolean {
  if (fixes.at(-1)?.strategy !== 'call_tags') return false
  const end = nameEnd(text, position)
  return end > position && text[end] === '=' && text[end + 1] !== '='
}

/** `"name": 1, "next": 2`, without any braces. */
function openImplicitObject(reading: Reading): void {
  const { position: at } = reading
  fix(reading, 'unopened_objects', at, at, '{')
  reading.roots.push({ kind: 'object', start: at, end: at, hasCommaBefore: false })
  openFrame(reading, 'object', 'implicit', at)
  readOpen(reading)
}

/** Ascending; at one place insertions come first, in the order in which they were made. */
function inOrder(fixes: readonly RepairFix[]): readonly RepairFix[] {
  const isInsertion = ({ start, end }: Edit) => (start === end ? 0 : 1)
  const sorted = [...fixes].sort((a, b) => a.start - b.start || isInsertion(a) - isInsertion(b))
  let position = 0
  for (const { start, end } of sorted) {
    if (start < position) throw new CannotRead()
    position = end
  }
  return sorted
}
