/**
 * Measures the speed of the core against alternatives in the same run, prints ratios, and ends with status 1 if one is
 * over its bound. `--write` puts the tables into `docs/performance.md`; other arguments are the areas to measure.
 */
import { findRegressions, tablesOf } from './compare'
import { measureCounting } from './counting'
import { measureMasking } from './masking'
import { measureReading } from './reading'
import { measureReplay } from './replay'
import { writeSection } from './write-section.mjs'

const AREAS = {
  masking: measureMasking,
  replay: measureReplay,
  reading: measureReading,
  counting: measureCounting,
}

const args = process.argv.slice(2)
const names = args.filter((name) => name !== '--write')
const unknown = names.find((name) => !Object.hasOwn(AREAS, name))
if (unknown !== undefined) {
  console.error(`There is no area "${unknown}"; expected ${Object.keys(AREAS).join(', ')}.`)
  process.exit(2)
}
if (names.length > 0 && names.length < args.length) {
  console.error('--write writes the tables of all areas; expected no names of areas beside it.')
  process.exit(2)
}

console.log('Processor time, with ratios to the last line above that has 1.00.')
const blocks = []
for (const [name, measureArea] of Object.entries(AREAS)) {
  if (names.length === 0 || names.includes(name)) blocks.push(...(await measureArea()))
}
if (args.includes('--write')) writeSection('core', tablesOf(blocks))
const regressions = findRegressions(blocks)
for (const sentence of regressions) console.error(sentence)
process.exitCode = regressions.length > 0 ? 1 : 0
