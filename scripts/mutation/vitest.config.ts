import { defineConfig } from 'vitest/config'
import shared from '../../vitest.config'

// Mutants are judged by the tests of the mutated rooms, with the same cases each time.
process.env.TEST_SEED = '1'
const ROOMS = ['policy', 'mask', 'tokens', 'replay', 'conformance']

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ROOMS.map((room) => `lib/core/${room}/**/*.test.ts`),
    isolate: false,
  },
})
