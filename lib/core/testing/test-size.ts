import fc from 'fast-check'

/** The one place that reads how large the tests are: `TEST_SIZE=large` or, without it, small. */
export const IS_LARGE = process.env.TEST_SIZE === 'large'

/** Gives the size of a fuzz test, or of a file it makes: the first as a rule, the second when tests are large. */
export function testSize(small: number, large: number): number {
  return IS_LARGE ? large : small
}

/** Settings of one property test: an eighth of its runs unless tests are large, and the seed of the whole run. */
export function fuzz(runs: number): { readonly numRuns: number; readonly seed?: number } {
  const numRuns = testSize(Math.ceil(runs / 8), runs)
  const seed = process.env.TEST_SEED
  return seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) }
}

type Arbitraries<Values extends unknown[]> = { [At in keyof Values]: fc.Arbitrary<Values[At]> }

/** Checks that a property holds for all generated values, in as many runs as `fuzz` says. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  runs: number,
  arbitraries: readonly [...Arbitraries<Values>],
  check: (...values: Values) => void,
  settings?: fc.Parameters<Values>,
): void {
  fc.assert(fc.property<Values>(...arbitraries, check), { ...fuzz(runs), ...settings })
}

/** The same with a check that takes time. */
export function forAllAsync<Values extends [unknown, ...unknown[]]>(
  runs: number,
  arbitraries: readonly [...Arbitraries<Values>],
  check: (...values: Values) => Promise<void>,
  settings?: fc.Parameters<Values>,
): Promise<void> {
  return fc.assert(fc.asyncProperty<Values>(...arbitraries, check), { ...fuzz(runs), ...settings })
}
