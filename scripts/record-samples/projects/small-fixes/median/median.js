/** The middle value, or the mean of the two middle ones. */
export function median(values) {
  const middle = Math.floor(values.length / 2)
  const sorted = values.sort()
  return values.length % 2 === 1 ? sorted[middle] : (sorted[middle] + sorted[middle + 1]) / 2
}
