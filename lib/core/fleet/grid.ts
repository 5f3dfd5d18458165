/** What the sums of a session are split by: windows, batches, and kinds of tokens. */

/**
 * The windows and batches at which every session is measured, so that the sums of many can be added. A window that a
 * session is too short for masks nothing in it.
 */
const LONGEST = 1024

/** Every window up to 32, then eight between a number and its double. */
export const FLEET_WINDOWS: readonly number[] = steps(32, 8)

/** Every batch up to 4, then two between a number and its double. */
export const FLEET_BATCHES: readonly number[] = steps(4, 2)

function steps(dense: number, perOctave: number): number[] {
  const numbers = Array.from({ length: dense }, (_, index) => index + 1)
  for (let octave = dense; octave < LONGEST; octave *= 2) {
    for (let step = 1; step <= perOctave; step++) numbers.push(octave + (octave * step) / perOctave)
  }
  return numbers
}

/** How tokens are charged: input that no cache has, input read from it, input written to it, and answers. */
export const TOKEN_KINDS = ['fresh', 'read', 'written', 'output'] as const

export type TokenKind = (typeof TOKEN_KINDS)[number]

/** Something for each kind of tokens. */
export function ofTokenKinds<Value>(of: (kind: TokenKind) => Value): Record<TokenKind, Value> {
  return { fresh: of('fresh'), read: of('read'), written: of('written'), output: of('output') }
}
