/** Finds the end of a string without a closing quote. */
import type { Offset } from '../../text/span'
import type { Parser, ValueSlot } from './parser'

export interface StringEnd {
  /** End of the content. */
  readonly end: Offset
  /** Offset at which parsing continues; the text between `end` and `next` is removed, quotes included. */
  readonly next: Offset
  readonly isClosed: boolean
  /** True if nothing follows, so the text may have been cut off here. */
  readonly isCutOff: boolean
}

/** Ends the string before the closing brackets at the end of the text, or at its end. */
export function unclosedStringEnd(parser: Parser, from: Offset, slot: ValueSlot): StringEnd {
  const { text } = parser
  const unclosed = (end: Offset, isCutOff: boolean): StringEnd => ({
    end,
    next: end,
    isClosed: false,
    isCutOff,
  })
  if (slot === 'key') {
    const colon = text.indexOf(':', from)
    if (colon >= 0) return unclosed(parser.trimmedEnd(from, colon), false)
    const partial = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text.slice(Math.max(from, text.length - 6)))
    return unclosed(parser.trimmedEnd(from, text.length - (partial?.[0].length ?? 0)), true)
  }
  const beforeClosers = endBeforeFinalClosers(parser, from)
  const plus = endBeforePlus(parser, from, beforeClosers ?? text.length)
  if (plus !== undefined) return plus
  if (beforeClosers === undefined) {
    const fence = parser.trimmedEnd(from, text.length) - 3
    return parser.isInFence && fence > from && text.startsWith('```', fence)
      ? unclosed(parser.trimmedEnd(from, fence), false)
      : unclosed(text.length, true)
  }
  const comma = text.indexOf(',', from)
  if (slot === 'element' && comma >= 0 && comma < beforeClosers && !parser.isWhite(comma + 1)) {
    return unclosed(comma, false)
  }
  return unclosed(beforeClosers, false)
}

/** Ends a string before a final plus sign outside of objects: `"text +` is code that joins strings, cut off. */
function endBeforePlus(parser: Parser, from: Offset, end: Offset): StringEnd | undefined {
  const { text, stack } = parser
  const last = parser.trimmedEnd(from, end)
  if (last === from || text[last - 1] !== '+') return undefined
  if (stack.some(({ kind }) => kind === 'object')) return undefined
  return { end: parser.trimmedEnd(from, last - 1), next: last, isClosed: false, isCutOff: true }
}

/** Start of the closing brackets at the end of the text that match the open frames; undefined if there are none. */
function endBeforeFinalClosers(parser: Parser, from: Offset): Offset | undefined {
  const { text, stack } = parser
  let end = parser.trimmedEnd(from, text.length)
  if (text.endsWith('```', end) && end - 3 > from) end = parser.trimmedEnd(from, end - 3)
  const closers: Offset[] = []
  let at = end
  while (at > from && (text[at - 1] === '}' || text[at - 1] === ']' || parser.isWhite(at - 1))) {
    at--
    if (!parser.isWhite(at)) closers.unshift(at)
    if (closers.length > stack.length) break
  }
  // Brackets opened inside the content close first; the remaining ones must match the open frames.
  const first = closers[0]
  if (first === undefined) return undefined
  let braces = openedWithin(text, from, first, '{', '}')
  let brackets = openedWithin(text, from, first, '[', ']')
  for (const [index, start] of closers.entries()) {
    const isOfFrame = text[start] === '}' ? braces-- <= 0 : brackets-- <= 0
    if (isOfFrame && fitsStack(text, closers.slice(index), stack))
      return parser.trimmedEnd(from, start)
  }
  return undefined
}

function fitsStack(text: string, closers: readonly Offset[], stack: Parser['stack']): boolean {
  let depth = stack.length - 1
  for (const closer of closers) {
    const kind = text[closer] === '}' ? 'object' : 'array'
    while (depth >= 0 && stack[depth]?.kind !== kind) depth--
    if (depth-- < 0) return false
  }
  return true
}

/** Number of unclosed `opening` brackets from `from` to `to`. */
function openedWithin(text: string, from: Offset, to: Offset, opening: string, closing: string) {
  let open = 0
  for (let at = from; at < to; at++) {
    if (text[at] === opening) open++
    else if (text[at] === closing && open > 0) open--
  }
  return open
}
