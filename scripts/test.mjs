import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countBrowserTests, countUnitTests, summarise } from './count-tests.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { findBuildProblem } from './ensure-build.mjs'
import { ensurePackages } from './ensure-packages.mjs'
import { repositoryRoot, runCommand } from './run-command.mjs'

const isInstallAllowed = !process.argv.includes('--no-install')
const reports = join(repositoryRoot, 'test-results')
const unitReport = join(reports, 'unit.json')
const browserReport = join(reports, 'browser.json')

const startedAt = Date.now()
const counts = []
let browser = ''

const stages = [
  { title: 'Packages', run: () => (isInstallAllowed ? ensurePackages() : undefined) },
  { title: 'Lint and format (biome)', run: () => tool('@biomejs/biome/bin/biome', ['ci', '.']) },
  {
    title: 'Types (tsc)',
    run: async () => {
      // Writes next-env.d.ts and the route types, which a fresh clone lacks.
      await tool('next/dist/bin/next', ['typegen'], { isQuiet: true })
      await tool('typescript/bin/tsc', ['--noEmit'])
      await tool('typescript/bin/tsc', ['--noEmit', '-p', 'lib/core/tsconfig.json'])
    },
  },
  {
    title: 'Unused code and packages (knip)',
    run: () => tool('knip/bin/knip.js', ['--no-config-hints']),
  },
  {
    title: 'Unit tests (vitest)',
    run: async () => {
      // A snapshot nobody committed is a failure, not a file to write.
      const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`]
      await counted(
        () => tool('vitest/vitest.mjs', ['run', '--update=none', ...outputs]),
        unitReport,
        countUnitTests,
      )
    },
  },
  {
    title: 'Build',
    run: () => {
      const problem = findBuildProblem()
      return problem === null
        ? console.log('out/ is what the sources give.')
        : node(['scripts/build.mjs'])
    },
  },
  {
    title: 'Browser',
    run: async () => {
      browser = await ensureBrowser({ isInstallAllowed })
    },
  },
  {
    title: 'Browser tests (playwright)',
    run: () =>
      counted(
        () =>
          tool('@playwright/test/cli.js', ['test'], {
            env: { ...process.env, PLAYWRIGHT_CHROMIUM: browser },
          }),
        browserReport,
        countBrowserTests,
      ),
  },
]

async function runStages() {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  for (const { title, run } of stages) {
    console.log(`\n=== ${title} ===`)
    try {
      await run()
    } catch (error) {
      console.error(error.message)
      return title
    }
  }
  return null
}

async function tool(path, args, options = {}) {
  await node([join(repositoryRoot, 'node_modules', path), ...args], options)
}

async function node(args, options = {}) {
  const env = { NEXT_TELEMETRY_DISABLED: '1', ...(options.env ?? process.env) }
  const { status, output } = await runCommand(process.execPath, args, { ...options, env })
  if (status !== 0) throw new Error(`${output}${args.join(' ')} ended with status ${status}.`)
}

/** The counts are read after a failure too: that is when they matter. */
async function counted(run, report, count) {
  try {
    await run()
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
console.log(`\n${sentence}\n${totals}`)
process.exitCode = isPassed ? 0 : 1
