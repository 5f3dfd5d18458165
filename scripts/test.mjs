import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countBrowserTests, countUnitTests, stageTable, summarise } from './count-tests.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { findBuildProblem, outputFolder } from './ensure-build.mjs'
import { ensurePackages } from './ensure-packages.mjs'
import { repositoryRoot, runCommand } from './run-command.mjs'

const isLarge = process.argv.includes('--large')
if (isLarge) process.env.TEST_SIZE = 'large'
const isInstallAllowed = !process.argv.includes('--no-install')
const reports = join(repositoryRoot, 'test-results')

const startedAt = Date.now()
const counts = []
const finished = []
const { TEST_SIZE: _, TEST_SEED: __, ...smallEnv } = process.env
const packageEnv = { ...process.env, PACKAGE: join(outputFolder, 'observation-masking.tgz') }
const browserEnv = { ...process.env }

const tool = (path, ...args) => [join(repositoryRoot, 'node_modules', path), ...args]

/** A stage that runs Node with some arguments, and then with others. */
const commands = (title, ...lists) => ({
  title,
  run: async (stage) => {
    let output = ''
    for (const args of lists) output += await node(args, stage)
    return output
  },
})

/** A stage whose tests are counted from their report, after a failure too. */
const tests = (title, report, count, args, options) => ({
  title,
  run: async (stage) => {
    try {
      return await node(args, { ...stage, ...options })
    } finally {
      counts.push(readCount(report, count))
    }
  },
})

const vitest = (title, name, args, options) => {
  const report = join(reports, `${name}.json`)
  const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const run = tool('vitest/vitest.mjs', 'run', ...args, ...outputs)
  return tests(title, report, countUnitTests, run, options)
}

const packages = { title: 'Packages', run: () => (isInstallAllowed ? ensurePackages() : undefined) }

const findBrowser = {
  title: 'Browser',
  run: async () => {
    browserEnv.PLAYWRIGHT_CHROMIUM = await ensureBrowser({ isInstallAllowed })
  },
}

const build = {
  title: 'Build',
  run: (stage) =>
    findBuildProblem() === null
      ? 'out/ is what the sources give.\n'
      : node(['scripts/build.mjs'], stage),
}

/** Several checkers would each resolve most of the types: half as much processor time again. */
const tsc = (...args) => tool('typescript/bin/tsc', '--noEmit', '--checkers', '1', ...args)

const checksAndBuild = [
  commands('Lint and format (biome)', tool('@biomejs/biome/bin/biome', 'ci', '.')),
  // The first writes next-env.d.ts and the route types, which a fresh clone lacks.
  commands(
    'Types (tsc)',
    tool('next/dist/bin/next', 'typegen'),
    tsc(),
    tsc('-p', 'lib/core/tsconfig.json'),
  ),
  commands('Unused code and packages (knip)', tool('knip/bin/knip.js', '--no-config-hints')),
  build,
  // With the package of the build, which the other unit tests do not wait for.
  vitest('Package (vitest)', 'package', ['--project=package'], { env: packageEnv }),
]

// A snapshot that is not committed is a failure, not a file to write.
// One process for every two cores: the build runs beside it, and each process loads and compiles all modules again.
const unitTests = vitest(
  'Unit tests (vitest)',
  'unit',
  // How time grows is measured where there is time: machines of a check are noisy.
  ['--update=none', '--project=shared', ...(isLarge ? ['--project=timed'] : [])],
  { env: { ...process.env, VITEST_WORKERS: '50%' } },
)

const largeStages = [
  {
    title: 'Coverage of lib/core (vitest)',
    // The thresholds hold for the small sizes and the seed of `npm run coverage`.
    run: (stage) =>
      node(tool('vitest/vitest.mjs', 'run', '--coverage'), { ...stage, env: smallEnv }),
  },
  vitest('Measurements (vitest)', 'measure', ['--project=measure', '--no-file-parallelism']),
  vitest('Agents through the proxy (vitest)', 'agents', ['--project=agents']),
]

const browserTests = tests(
  'Browser tests (playwright)',
  join(reports, 'browser.json'),
  countBrowserTests,
  tool('@playwright/test/cli.js', 'test'),
  { env: browserEnv, isQuiet: false },
)

/** Resolves with the title of the stage that failed first, or null. */
async function runStages() {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const failed = await runInOrder([packages])
  if (failed !== null) return failed
  // Side by side: most of the checks and the build use one core only.
  const sides = [runInOrder(checksAndBuild), runInOrder([unitTests])]
  const failures = (await Promise.all(sides)).filter((title) => title !== null)
  if (failures[0] !== undefined) return failures[0]
  return runInOrder([...(isLarge ? largeStages : []), findBrowser, browserTests])
}

async function runInOrder(stages) {
  for (const stage of stages) if (!(await runStage(stage))) return stage.title
  return null
}

/** Shows the output of a stage when the stage ends, so that two at a time stay readable. */
async function runStage({ title, run }) {
  const stageStartedAt = Date.now()
  console.log(`\n--- ${title} starts ---`)
  let isPassed = true
  let output = ''
  const say = (line) => console.log(`${title}: ${line.trim()}`)
  try {
    output = (await run({ say })) ?? ''
  } catch (error) {
    isPassed = false
    output = `${error.message}\n`
  }
  const seconds = Math.round((Date.now() - stageStartedAt) / 1000)
  finished.push({ title, seconds, isPassed })
  console.log(`\n=== ${title}: ${isPassed ? 'passed' : 'FAILED'} after ${seconds} s ===`)
  if (output !== '') (isPassed ? console.log : console.error)(output.trimEnd())
  return isPassed
}

/** Resolves with the output of a quiet command; rejects with it when the command fails. */
async function node(args, { env = process.env, isQuiet = true, say }) {
  const { status, output } = await runCommand(process.execPath, args, {
    env: { NEXT_TELEMETRY_DISABLED: '1', ...env },
    isQuiet,
    say,
  })
  if (status !== 0) throw new Error(`${output}${args.join(' ')} ended with status ${status}.`)
  return output
}

function readCount(report, count) {
  try {
    return count(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

const failedStage = await runStages()
const seconds = Math.round((Date.now() - startedAt) / 1000)
const { sentence, totals, isPassed } = summarise(failedStage, counts, seconds)
console.log(`\n${stageTable(finished)}\n\n${sentence}\n${totals}`)
process.exitCode = isPassed ? 0 : 1
