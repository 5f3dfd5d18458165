/** Where a string ends that no quote ends. */
import type { Offset } from '../text/span'
import { isWhite } from './look-ahead'
import type { Place, Reading } from './reading'

export interface StringEnd {
  /** Where the content ends. */
  readonly end: Offset
  /** Where reading goes on: after the closing quotes if there are any; what stands between is left out. */
  readonly next: Offset
  readonly isClosed: boolean
  /** Nothing follows: the text may have been cut off here. */
  readonly isCutOff: boolean
}

/** No quote ends the string: it takes the rest of the text but for the brackets that close what is open. */
export function unclosedEnd(reading: Reading, from: Offset, place: Place): StringEnd {
  const { text } = reading
  const unclosed = (end: Offset, isCutOff: boolean): StringEnd => ({
    end,
    next: end,
    isClosed: false,
    isCutOff,
  })
  if (place === 'key') {
    const colon = text.indexOf(':', from)
    if (colon >= 0) return unclosed(trimmedEnd(text, from, colon), false)
    const partial = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text.slice(Math.max(from, text.length - 6)))
    return unclosed(trimmedEnd(text, from, text.length - (partial?.[0].length ?? 0)), true)
  }
  const beforeClosers = endBeforeOwnClosers(reading, from)
  const plus = endBeforePlus(reading, from, beforeClosers ?? text.length)
  if (plus !== undefined) return plus
  if (beforeClosers === undefined) return unclosed(text.length, true)
  const comma = text.indexOf(',', from)
  if (place === 'element' && comma >= 0 && comma < beforeClosers && !isWhite(text, comma + 1)) {
    return unclosed(comma, false)
  }
  return unclosed(beforeClosers, false)
}

/** `"text +`: code that joins texts, cut off. Within an object a plus sign at the end is part of the text. */
function endBeforePlus({ text, stack }: Reading, from: Offset, end: Offset): StringEnd | undefined {
  const last = trimmedEnd(text, from, end)
  if (last === from || text[last - 1] !== '+') return undefined
  if (stack.some(({ kind }) => kind === 'object')) return undefined
  return { end: trimmedEnd(text, from, last - 1), next: last, isClosed: false, isCutOff: true }
}

/** Where the closing brackets at the end of the text begin that fit what is open; undefined when there are none. */
function endBeforeOwnClosers({ text, stack }: Reading, from: Offset): Offset | undefined {
  let end = trimmedEnd(text, from, text.length)
  if (text.endsWith('```', end) && end - 3 > from) end = trimmedEnd(text, from, end - 3)
  const closers: Offset[] = []
  let at = end
  while (at > from && (text[at - 1] === '}' || text[at - 1] === ']' || isWhite(text, at - 1))) {
    at--
    if (!isWhite(text, at)) closers.unshift(at)
    if (closers.length > stack.length) break
  }
  // Brackets the content opened itself are closed first; then what is left must fit what is open.
  const first = closers[0]
  if (first === undefined) return undefined
  let braces = openedWithin(text, from, first, '{', '}')
  let brackets = openedWithin(text, from, first, '[', ']')
  for (const [index, start] of closers.entries()) {
    const isOwn = text[start] === '}' ? braces-- <= 0 : brackets-- <= 0
    if (isOwn && fitsStack(text, closers.slice(index), stack)) return trimmedEnd(text, from, start)
  }
  return undefined
}

function fitsStack(text: string, closers: readonly Offset[], stack: Reading['stack']): boolean {
  let depth = stack.length - 1
  for (const closer of closers) {
    const kind = text[closer] === '}' ? 'object' : 'array'
    while (depth >= 0 && stack[depth]?.kind !== kind) depth--
    if (depth-- < 0) return false
  }
  return true
}

/** How many of `opening` from `from` to `to` nothing closes. */
function openedWithin(
  text: string,
  from: Offset,
  to: Offset,
  opening: string,
  closing: string,
): number {
  let open = 0
  for (let at = from; at < to; at++) {
    if (text[at] === opening) open++
    else if (text[at] === closing && open > 0) open--
  }
  return open
}

/** `end` without the white space before it, not before `from`. */
export function trimmedEnd(text: string, from: Offset, end: Offset): Offset {
  let at = end
  while (at > from && isWhite(text, at - 1)) at--
  return at
}
