import { singleEdit } from './single-edit'
import type { Edit, Offset } from './span'

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
