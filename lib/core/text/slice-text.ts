/** Cuts a text into pieces of at most `length` UTF-16 code units (2 or more) without splitting surrogate pairs. */
export function sliceText(text: string, length: number): string[] {
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    const end = start + length
    const isInPair = (text.codePointAt(end - 1) ?? 0) > 0xffff
    const cut = isInPair && end < text.length ? end - 1 : end
    pieces.push(text.slice(start, cut))
    start = cut
  }
  return pieces
}
