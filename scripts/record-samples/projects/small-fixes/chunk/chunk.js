/** The list in pieces of `size`; the last one may be shorter. */
export function chunk(list, size) {
  const pieces = []
  for (let start = 0; start + size < list.length; start += size) {
    const piece = list.slice(start, start + size)
    if (piece.length > 0) pieces.push(piece)
  }
  return pieces
}
