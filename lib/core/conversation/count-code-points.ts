/** Engines store Latin-1 text with one byte per character, so that this reads none of it. */
const BEYOND_LATIN_1 = /[^\0-\xff]/g
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Index of the first character that is not in Latin-1, or -1. */
export function findBeyondLatin1(text: string): number {
  BEYOND_LATIN_1.lastIndex = 0
  // Faster than `search`, which sets the index and resets it.
  return BEYOND_LATIN_1.test(text) ? BEYOND_LATIN_1.lastIndex - 1 : -1
}

/** Counts the Unicode code points of a text; a lone surrogate counts as one. Everything before `from` is Latin-1. */
export function countCodePoints(text: string, from = findBeyondLatin1(text)): number {
  if (from === -1) return text.length
  SURROGATE_PAIR.lastIndex = from
  const first = SURROGATE_PAIR.exec(text)
  if (first === null) return text.length
  let count = text.length
  for (let index = first.index; index < text.length - 1; index++) {
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
