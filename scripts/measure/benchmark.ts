/**
 * Measures the speed of the core against alternatives in the same run, prints ratios, and ends with status 1 if one is
 * over its bound. Arguments are the areas to measure.
 */
import { measureMasking } from './benchmark-masking'
import { measureCounting, measureReading } from './benchmark-reading'
import { measureReplay } from './benchmark-replay'
import { findRegressions } from './compare'

const AREAS = {
  masking: measureMasking,
  replay: measureReplay,
  reading: measureReading,
  counting: measureCounting,
}

const names = process.argv.slice(2)
const unknown = names.find((name) => !Object.hasOwn(AREAS, name))
if (unknown !== undefined) {
  console.error(`There is no area "${unknown}"; expected ${Object.keys(AREAS).join(', ')}.`)
  process.exit(2)
}

console.log('Processor time, with ratios to the last line above that has 1.00.')
const blocks = []
for (const [name, measureArea] of Object.entries(AREAS)) {
  if (names.length === 0 || names.includes(name)) blocks.push(...(await measureArea()))
}
const regressions = findRegressions(blocks)
for (const sentence of regressions) console.error(sentence)
process.exitCode = regressions.length > 0 ? 1 : 0
