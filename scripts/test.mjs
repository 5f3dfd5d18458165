import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countBrowserTests, countUnitTests, stageTable, summarise } from './count-tests.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { findBuildProblem, outputFolder } from './ensure-build.mjs'
import { ensurePackages } from './ensure-packages.mjs'
import { installWithApt } from './install-with-apt.mjs'
import { repositoryRoot, runCommand } from './run-command.mjs'

const isLarge = process.argv.includes('--large')
if (isLarge) process.env.TEST_SIZE = 'large'
const isInstallAllowed = !process.argv.includes('--no-install')
const reports = join(repositoryRoot, 'test-results')
const unitReport = join(reports, 'unit.json')
const browserReport = join(reports, 'browser.json')

const startedAt = Date.now()
const counts = []
const finished = []
let browser = ''

const packages = {
  title: 'Packages',
  run: () => (isInstallAllowed ? ensurePackages() : undefined),
}

/** The test that needs it skips without it, and says so. */
const parallel = {
  title: 'GNU parallel',
  run: async () => {
    const { output } = await runCommand('parallel', ['--version'], { isQuiet: true })
    if (output.startsWith('GNU parallel')) return 'It is installed.\n'
    return isInstallAllowed ? `${await installWithApt('parallel')}\n` : 'It is not installed.\n'
  },
}

const lint = {
  title: 'Lint and format (biome)',
  run: (stage) => tool('@biomejs/biome/bin/biome', ['ci', '.'], stage),
}

const types = {
  title: 'Types (tsc)',
  run: async (stage) => {
    // Writes next-env.d.ts and the route types, which a fresh clone lacks.
    await tool('next/dist/bin/next', ['typegen'], stage)
    await tool('typescript/bin/tsc', ['--noEmit'], stage)
    await tool('typescript/bin/tsc', ['--noEmit', '-p', 'lib/core/tsconfig.json'], stage)
  },
}

const unusedCode = {
  title: 'Unused code and packages (knip)',
  run: (stage) => tool('knip/bin/knip.js', ['--no-config-hints'], stage),
}

const build = {
  title: 'Build',
  run: (stage) =>
    findBuildProblem() === null
      ? 'out/ is what the sources give.\n'
      : node(['scripts/build.mjs'], stage),
}

const unitTests = {
  title: 'Unit tests (vitest)',
  run: (stage) => {
    // A snapshot that is not committed is a failure, not a file to write.
    const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`]
    const projects = ['--project=shared', '--project=timed']
    const run = () =>
      tool('vitest/vitest.mjs', ['run', '--update=none', ...projects, ...outputs], stage)
    return counted(run, unitReport, countUnitTests)
  },
}

/** With the package of the build, which the other unit tests do not wait for. */
const packageTests = {
  title: 'Package (vitest)',
  run: (stage) => {
    const report = join(reports, 'package.json')
    const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const env = { ...process.env, PACKAGE: join(outputFolder, 'observation-masking.tgz') }
    const run = () =>
      tool('vitest/vitest.mjs', ['run', '--project=package', ...outputs], { ...stage, env })
    return counted(run, report, countUnitTests)
  },
}

const coverage = {
  title: 'Coverage of lib/core (vitest)',
  run: (stage) => {
    // The thresholds hold for the small sizes and the seed of `npm run coverage`.
    const { TEST_SIZE: _, TEST_SEED: __, ...env } = process.env
    return tool('vitest/vitest.mjs', ['run', '--coverage'], { ...stage, env })
  },
}

const benchmark = {
  title: 'Bounds of the benchmark',
  run: (stage) => node(['scripts/run.mjs', 'scripts/measure/benchmark.ts'], stage),
}

const proxyLoad = {
  title: 'Load of the proxy',
  run: (stage) =>
    node(
      ['scripts/run.mjs', 'scripts/measure/proxy-load.ts', ...['--agents', '50', '--seconds', '3']],
      stage,
    ),
}

const findBrowser = {
  title: 'Browser',
  run: async () => {
    browser = await ensureBrowser({ isInstallAllowed })
  },
}

const browserTests = {
  title: 'Browser tests (playwright)',
  run: (stage) => {
    const env = { ...process.env, PLAYWRIGHT_CHROMIUM: browser }
    const run = () => tool('@playwright/test/cli.js', ['test'], { ...stage, env, isQuiet: false })
    return counted(run, browserReport, countBrowserTests)
  },
}

/** Resolves with the title of the stage that failed first, or null. */
async function runStages() {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const failed = await runInOrder([packages, ...(isLarge ? [parallel] : [])])
  if (failed !== null) return failed
  // Side by side: most of the checks and the build use one core only.
  const sides = [
    runInOrder([lint, types, unusedCode, build, packageTests]),
    runInOrder([unitTests]),
  ]
  const failures = (await Promise.all(sides)).filter((title) => title !== null)
  if (failures[0] !== undefined) return failures[0]
  return runInOrder([
    ...(isLarge ? [coverage, benchmark, proxyLoad] : []),
    findBrowser,
    browserTests,
  ])
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
  let processorSeconds = 0
  const say = (line) => console.log(`${title}: ${line.trim()}`)
  const add = (seconds = 0) => {
    processorSeconds += seconds
  }
  try {
    output = (await run({ say, add })) ?? ''
  } catch (error) {
    isPassed = false
    output = `${error.message}\n`
  }
  const seconds = Math.round((Date.now() - stageStartedAt) / 1000)
  finished.push({ title, seconds, processorSeconds, isPassed })
  console.log(`\n=== ${title}: ${isPassed ? 'passed' : 'FAILED'} after ${seconds} s ===`)
  if (output !== '') (isPassed ? console.log : console.error)(output.trimEnd())
  return isPassed
}

function tool(path, args, options) {
  return node([join(repositoryRoot, 'node_modules', path), ...args], options)
}

/** Resolves with the output of a quiet command; rejects with it when the command fails. */
async function node(args, { env = process.env, isQuiet = true, say, add }) {
  const { status, output, processorSeconds } = await runCommand(process.execPath, args, {
    env: { NEXT_TELEMETRY_DISABLED: '1', ...env },
    isQuiet,
    say,
  })
  add(processorSeconds)
  if (status !== 0) throw new Error(`${output}${args.join(' ')} ended with status ${status}.`)
  return output
}

/** Runs tests and adds their counts, after a failure too. */
async function counted(run, report, count) {
  try {
    return await run()
  } finally {
    counts.push(readCount(report, count))
  }
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
