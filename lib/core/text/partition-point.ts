/**
 * Returns the first index from `low` to `high` for which `isBefore` is false, or `high`. Uses binary search, so every index
 * for which `isBefore` is true must come first.
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
