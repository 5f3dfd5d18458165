const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/

/** Counts the Unicode code points of a text; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  // Takes no time for Latin-1 text, which engines store with one byte per character.
  const first = text.search(SURROGATE_PAIR)
  if (first === -1) return text.length
  let count = text.length
  for (let index = first; index < text.length - 1; index++) {
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
