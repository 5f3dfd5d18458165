import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    include: ['lib/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', 'components/**/*.test.ts'],
    environment: 'node',
    // Properties and commands of their own take their time on a busy machine.
    testTimeout: 60_000,
  },
})
