import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

// The check of a commit and the coverage do not depend on chance; other runs draw a new seed.
const isFixed = Boolean(process.env.CI) && process.env.TEST_SIZE !== 'large'
if (isFixed || process.argv.includes('--coverage')) process.env.TEST_SEED ??= '1'

// One seed for the property tests of a run; TEST_SEED repeats a run, TEST_SIZE=large makes it longer.
process.env.TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31))
// Each project below reads this file again, in the same process.
if (process.env.IS_SEED_PRINTED === undefined) {
  process.env.IS_SEED_PRINTED = 'true'
  console.log(
    `Property tests: TEST_SEED=${process.env.TEST_SEED}, TEST_SIZE=${process.env.TEST_SIZE ?? 'small'}`,
  )
}

/** Tests of the built package, which `npm test` runs after the build. */
const PACKAGE = 'scripts/package/*.test.ts'

/** Runs of real agents, which large tests install from the registry. */
const AGENTS = 'lib/pipeline/agents/*.run.test.ts'

/** Tests of how time grows. */
const TIMED = 'lib/**/*.time.test.ts'

/** Measurements with bounds, which take minutes and the whole machine: only `--project=measure` runs them. */
const MEASURED = 'scripts/measure/*.measure.test.ts'
const isMeasured = process.argv.includes('--project=measure')

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    environment: 'node',
    // Vitest would leave one core idle, which is half of a small machine.
    maxWorkers: process.env.VITEST_WORKERS ?? '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['lib/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', 'components/**/*.test.ts'],
          exclude: [...configDefaults.exclude, TIMED, PACKAGE, AGENTS, MEASURED],
          // Most of a run would be spent on loading the same modules for every test file.
          isolate: false,
          execArgv: ['--single-threaded-gc'],
        },
      },
      {
        extends: true,
        // What other tests leave in memory slows garbage collection. These start when the others have ended.
        test: { name: 'timed', include: [TIMED], isolate: true, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { name: 'package', include: [PACKAGE] } },
      { extends: true, test: { name: 'agents', include: [AGENTS] } },
      { extends: true, test: { name: 'measure', include: isMeasured ? [MEASURED] : [] } },
    ],
    unstubGlobals: true,
    unstubEnvs: true,
    restoreMocks: true,
    // Property tests and commands in processes of their own are slow on a busy machine.
    testTimeout: 60_000,
    coverage: {
      include: ['lib/core/**/*.ts'],
      exclude: ['lib/core/**/testing/**'],
      reporter: [['text', { skipFull: true }], 'json'],
      reportsDirectory: 'test-results/coverage',
      thresholds: { branches: 100 },
    },
  },
})
