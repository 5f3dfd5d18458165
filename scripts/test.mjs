import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countBrowserTests, countUnitTests, summarise } from './count-tests.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { findBuildProblem, outputFolder } from './ensure-build.mjs'
import { ensurePackages } from './ensure-packages.mjs'
import { repositoryRoot, runCommand } from './run-command.mjs'

const isLarge = process.argv.includes('--large')
if (isLarge) process.env.TEST_SIZE = 'large'
const isInstallAllowed = !process.argv.includes('--no-install')
const reports = join(repositoryRoot, 'test-results')
const reportOf = (title) => join(reports, `${title.replace(/\W+/g, '-')}.json`)
const startedAt = Date.now()
const secondsSince = (time) => Math.round((Date.now() - time) / 1000)
const counts = []
let failedStage = null

/** Runs a stage; resolves with true if it passed. `run` gets what reports its progress. */
async function stage(title, run) {
  const stageStartedAt = Date.now()
  console.log(`\n--- ${title} starts ---`)
  let failure
  try {
    await run((line) => console.log(`${title}: ${line.trim()}`))
  } catch ({ message }) {
    failedStage ??= title
    failure = message
  }
  const result = failure === undefined ? 'passed' : 'FAILED'
  console.log(`\n=== ${title}: ${result} after ${secondsSince(stageStartedAt)} s ===`)
  if (failure !== undefined) console.error(failure.trimEnd())
  return failure === undefined
}

/** Runs a script of a package or of this folder; what it prints is shown if it fails. */
const node = (title, path, { args = [], env, isQuiet = true } = {}) =>
  stage(title, async (say) => {
    const command = [join(repositoryRoot, path), ...args]
    const all = { NEXT_TELEMETRY_DISABLED: '1', ...process.env, ...env }
    const run = await runCommand(process.execPath, command, { env: all, isQuiet, say })
    if (run.status !== 0) throw new Error(`${run.output}${path} ended with status ${run.status}.`)
  })

/** The same for tests, which are counted, after a failure too. */
async function tests(title, path, count, options) {
  const isPassed = await node(title, path, options)
  try {
    counts.push(count(JSON.parse(readFileSync(reportOf(title), 'utf8'))))
  } catch {
    // Without a report, the stage itself is the failure.
  }
  return isPassed
}

const VITEST = 'node_modules/vitest/vitest.mjs'
const vitest = (title, args, env) => {
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(title)}`]
  return tests(title, VITEST, countUnitTests, { args: ['run', ...args, ...report], env })
}

/** Several checkers would each resolve most of the types: half as much processor time again. */
const TSC = ['--noEmit', '--checkers', '1']
/** The first writes next-env.d.ts and the route types, which a fresh clone lacks. */
const CHECKS = [
  ['Types of routes (next)', 'node_modules/next/dist/bin/next', ['typegen']],
  ['Lint and format (biome)', 'node_modules/@biomejs/biome/bin/biome', ['ci', '.']],
  ['Types (tsc)', 'node_modules/typescript/bin/tsc', TSC],
  [
    'Types of the core',
    'node_modules/typescript/bin/tsc',
    [...TSC, '-p', 'lib/core/tsconfig.json'],
  ],
  ['Unused code (knip)', 'node_modules/knip/bin/knip.js', ['--no-config-hints']],
]

async function checkAndBuild() {
  for (const [title, path, args] of CHECKS) if (!(await node(title, path, { args }))) return
  if (findBuildProblem() !== null && !(await node('Build', 'scripts/build.mjs'))) return
  // With the package of the build, which the other unit tests do not wait for.
  const env = { PACKAGE: join(outputFolder, 'observation-masking.tgz') }
  await vitest('Package (vitest)', ['--project=package'], env)
}

/** A snapshot that is not committed is a failure. How time grows is measured where there is time. */
const UNIT = ['--update=none', '--project=shared', ...(isLarge ? ['--project=timed'] : [])]

async function runLarge() {
  // The thresholds hold for the small sizes and the seed of `npm run coverage`.
  const env = { TEST_SIZE: undefined, TEST_SEED: undefined }
  const isCovered = await node('Coverage of lib/core', VITEST, { args: ['run', '--coverage'], env })
  const measure = ['--project=measure', '--no-file-parallelism']
  if (isCovered && (await vitest('Measurements (vitest)', measure)))
    await vitest('Agents through the proxy (vitest)', ['--project=agents'])
}

async function runBrowser() {
  const title = 'Browser tests (playwright)'
  const found = await stage('Browser', async () => {
    process.env.PLAYWRIGHT_CHROMIUM = await ensureBrowser({ isInstallAllowed })
  })
  const options = { args: ['test'], isQuiet: false, env: { BROWSER_REPORT: reportOf(title) } }
  const path = 'node_modules/@playwright/test/cli.js'
  if (found) await tests(title, path, countBrowserTests, options)
}

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
if (await stage('Packages', async () => isInstallAllowed && ensurePackages())) {
  // Side by side: most of the checks and the build use one core only. Each process of the tests loads all modules again.
  const unit = vitest('Unit tests (vitest)', UNIT, { VITEST_WORKERS: '50%' })
  await Promise.all([checkAndBuild(), unit])
}
if (isLarge && failedStage === null) await runLarge()
if (failedStage === null) await runBrowser()
const { sentence, totals, isPassed } = summarise(failedStage, counts, secondsSince(startedAt))
console.log(`\n${sentence}\n${totals}`)
process.exitCode = isPassed ? 0 : 1
