/**
 * The first of the indices from `low` up to `high` for which `isBefore` is false; `high` when there is none. What is
 * before must stand in front of what is not. Asks as many times as halving takes.
 */
export function partitionPoint(
  low: number,
  high: number,
  isBefore: (index: number) => boolean,
): number {
  let [start, end] = [low, high]
  while (start < end) {
    const middle = (start + end) >> 1
    if (isBefore(middle)) start = middle + 1
    else end = middle
  }
  return start
}
