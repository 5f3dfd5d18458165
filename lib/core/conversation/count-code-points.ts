/** Unicode code points of a text; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length - 1; index++) {
    const high = text.charCodeAt(index)
    if (high < 0xd800 || high > 0xdbff) continue
    const low = text.charCodeAt(index + 1)
    if (low >= 0xdc00 && low <= 0xdfff) {
      count--
      index++
    }
  }
  return count
}
