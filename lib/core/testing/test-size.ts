/** The one place that reads how large the tests are: `TEST_SIZE=large` or, without it, small. */
export const IS_LARGE = process.env.TEST_SIZE === 'large'

/** Gives the size of a fuzz test, or of a file it makes: the first as a rule, the second when tests are large. */
export function testSize(small: number, large: number): number {
  return IS_LARGE ? large : small
}

/** Settings of one property test: a fifth of its runs unless tests are large, and the seed of the whole run. */
export function fuzz(runs: number): { readonly numRuns: number; readonly seed?: number } {
  const numRuns = testSize(Math.ceil(runs / 5), runs)
  const seed = process.env.TEST_SEED
  return seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) }
}
