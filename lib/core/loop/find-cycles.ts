/** A stretch in which two things take turns: A, B, A, B. */
export interface Cycle {
  /** Index of its first item. */
  readonly start: number
  /** Items it holds, at least four. */
  readonly length: number
}

const PERIOD = 2
const FEWEST_ROUNDS = 2

/** Every longest stretch of A, B, A, B … with at least two rounds; A and B differ. Linear; stretches never overlap. */
export function findCycles(items: readonly string[]): Cycle[] {
  const cycles: Cycle[] = []
  let start = 0
  for (let at = 1; at <= items.length; at++) {
    const alternates =
      at < items.length &&
      items[at] !== items[at - 1] &&
      (at - start < PERIOD || items[at] === items[at - PERIOD])
    if (alternates) continue
    const isCycle = at - start >= PERIOD * FEWEST_ROUNDS
    if (isCycle) cycles.push({ start, length: at - start })
    // The last two may begin the next stretch, but an item belongs to one stretch only.
    start = isCycle || items[at] === items[at - 1] ? at : at - 1
  }
  return cycles
}
