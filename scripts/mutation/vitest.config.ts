import { defineConfig } from 'vitest/config'
import shared from '../../vitest.config'

// Mutants are judged by these tests, folders or single files, with the same cases each time.
process.env.TEST_SEED = '1'
const TESTS = (process.env.MUTATION_TESTS ?? 'policy,mask,tokens,replay,conformance').split(',')

const { projects: _, ...test } = shared.test ?? {}

export default defineConfig({
  ...shared,
  test: {
    ...test,
    include: TESTS.flatMap((name) => [`lib/core/${name}/**/*.test.ts`, `lib/core/${name}.test.ts`]),
    // A change of a value that a module makes when it loads needs a module that has not loaded yet.
    isolate: true,
  },
})
