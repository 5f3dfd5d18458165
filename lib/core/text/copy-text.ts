/** Engines cut shorter strings by copying. */
const SHORTEST_CUT = 13

/** A copy of a piece. Engines cut a longer string by reference, which would keep the whole text in memory. */
export function copyText(piece: string): string {
  return piece.length < SHORTEST_CUT ? piece : ` ${piece}`.slice(1)
}
