import type { Edit, Offset, TextSpan } from './span'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Number of characters compared at once, which is much faster than one by one. */
const BLOCK = 65_536

/**
 * Returns the edit that turns `before` into `after`, between their common start and their common end; undefined when they
 * are equal. Never splits a CR from the LF after it.
 */
export function singleEdit(before: string, after: string): Edit | undefined {
  if (before === after) return undefined
  const limit = Math.min(before.length, after.length)
  let start = 0
  while (start + BLOCK <= limit && isSameAt(before, start, after, start)) start += BLOCK
  while (start < limit && before.charCodeAt(start) === after.charCodeAt(start)) start++
  if (start > 0 && before.charCodeAt(start - 1) === CARRIAGE_RETURN) start--
  let tail = 0
  const tailLimit = limit - start
  while (
    tail + BLOCK <= tailLimit &&
    isSameAt(before, before.length - tail - BLOCK, after, after.length - tail - BLOCK)
  )
    tail += BLOCK
  while (
    tail < tailLimit &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  if (tail > 0 && before.charCodeAt(before.length - tail) === LINE_FEED) tail--
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) }
}

function isSameAt(before: string, atBefore: Offset, after: string, atAfter: Offset): boolean {
  return before.slice(atBefore, atBefore + BLOCK) === after.slice(atAfter, atAfter + BLOCK)
}

/** Lines that may be added, removed or changed in one place. */
const MOST_LINES = 32
/** Texts with more differences are different texts: the rest is one edit. */
const MOST_EDITS = 1_000
/** So are texts of which one is this many times longer: their lines are not compared. */
const MOST_TIMES_LONGER = 4

/**
 * The edits that turn `before` into `after`: one for each place where lines differ, so that few changes far apart stay
 * small. They are not always the fewest.
 */
export function lineEdits(before: string, after: string): readonly Edit[] {
  const [shorter, longer] = [before.length, after.length].sort((a, b) => a - b) as [number, number]
  if (longer > MOST_TIMES_LONGER * shorter) return [{ start: 0, end: before.length, text: after }]
  const whole = singleEdit(before, after)
  if (whole === undefined) return []
  // Both texts are equal up to here, so the line begins at the same place.
  const first = before.slice(0, whole.start).lastIndexOf('\n') + 1
  const ends = { before: lineEnds(before, first), after: lineEnds(after, first) }
  const startOf = (list: readonly Offset[], line: number): Offset =>
    line === 0 ? first : (list[line - 1] as Offset)
  const lineAt = (text: string, list: readonly Offset[], line: number): string | undefined =>
    line < list.length ? text.slice(startOf(list, line), list[line]) : undefined
  const isEqual = (one: number, other: number): boolean =>
    lineAt(before, ends.before, one) === lineAt(after, ends.after, other)

  const edits: Edit[] = []
  let [old, next] = [0, 0]
  while (old < ends.before.length || next < ends.after.length) {
    if (isEqual(old, next)) {
      old++
      next++
      continue
    }
    const [removed, added] = (edits.length < MOST_EDITS
      ? findEqual((more, other) => isEqual(old + more, next + other))
      : undefined) ?? [ends.before.length - old, ends.after.length - next]
    edits.push({
      start: startOf(ends.before, old),
      end: startOf(ends.before, Math.min(old + removed, ends.before.length)),
      text: after.slice(
        startOf(ends.after, next),
        startOf(ends.after, Math.min(next + added, ends.after.length)),
      ),
    })
    old += removed
    next += added
  }
  return edits
}

/** The fewest lines of both texts that are left out before they are equal again; as many of both where that is possible. */
function findEqual(
  isEqual: (removed: number, added: number) => boolean,
): readonly [removed: number, added: number] | undefined {
  for (let most = 1; most <= MOST_LINES; most++) {
    for (let fewer = most; fewer >= 0; fewer--) {
      if (isEqual(most, fewer)) return [most, fewer]
      if (isEqual(fewer, most)) return [fewer, most]
    }
  }
  return undefined
}

/** The end of each line from `start` on, its line break included. */
function lineEnds(text: string, start: Offset): Offset[] {
  const ends: Offset[] = []
  for (let at = start; at < text.length; ) {
    const end = text.indexOf('\n', at) + 1 || text.length
    ends.push(end)
    at = end
  }
  return ends
}

/** A part of a text: a span of an earlier text, or a text of its own. */
type Part = TextSpan | string

/** The edits that have the effect of `first` and then of `second`, whose offsets refer to the text after `first`. */
export function composeEdits(first: readonly Edit[], second: readonly Edit[]): readonly Edit[] {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const parts = partsAfter(first)
  const composed: Part[] = []
  let at = 0
  /** Length already taken from the current part. */
  let taken = 0
  let position = 0
  const take = (until: number, isKept: boolean) => {
    while (position < until && at < parts.length) {
      const part = parts[at] as Part
      const left = (typeof part === 'string' ? part.length : part.end - part.start) - taken
      const length = Math.min(left, until - position)
      if (isKept) composed.push(partOf(part, taken, taken + length))
      position += length
      taken += length
      if (length < left) return
      at++
      taken = 0
    }
  }
  for (const { start, end, text } of second) {
    take(start, true)
    composed.push(text)
    take(end, false)
  }
  take(Number.POSITIVE_INFINITY, true)
  return editsOf(composed)
}

/** The edits that undo edits of `text`; their offsets refer to the edited text. */
export function invertEdits(edits: readonly Edit[], text: string): readonly Edit[] {
  let moved = 0
  return edits.map((edit) => {
    const start = edit.start + moved
    moved += edit.text.length - (edit.end - edit.start)
    return { start, end: start + edit.text.length, text: text.slice(edit.start, edit.end) }
  })
}

/** The last part has no end, since the length of the text is not known. */
function partsAfter(edits: readonly Edit[]): Part[] {
  const parts: Part[] = []
  let position = 0
  for (const { start, end, text } of edits) {
    if (start > position) parts.push({ start: position, end: start })
    if (text !== '') parts.push(text)
    position = end
  }
  parts.push({ start: position, end: Number.POSITIVE_INFINITY })
  return parts
}

function editsOf(parts: readonly Part[]): Edit[] {
  const edits: Edit[] = []
  let position = 0
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      if (text !== '' || part.start > position)
        edits.push({ start: position, end: part.start, text })
      position = part.end
      text = ''
    }
  }
  return edits
}

function partOf(part: Part, start: number, end: number): Part {
  if (typeof part === 'string') return part.slice(start, end)
  return { start: part.start + start, end: part.start + end }
}
