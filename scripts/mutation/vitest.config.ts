import { defineConfig } from 'vitest/config'
import shared from '../../vitest.config'

// Mutants are judged by the tests of these folders, with the same cases each time.
process.env.TEST_SEED = '1'
const FOLDERS = (process.env.MUTATION_TESTS ?? 'policy,mask,tokens,replay,conformance').split(',')

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: FOLDERS.map((folder) => `lib/core/${folder}/**/*.test.ts`),
    isolate: false,
  },
})
