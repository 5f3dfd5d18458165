import type { Edit, Offset } from './span'

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
  return {
    start,
    end: before.length - tail,
    text: after.slice(start, after.length - tail),
  }
}

function isSameAt(before: string, atBefore: Offset, after: string, atAfter: Offset): boolean {
  return before.slice(atBefore, atBefore + BLOCK) === after.slice(atAfter, atAfter + BLOCK)
}
