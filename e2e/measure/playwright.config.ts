import { defineConfig } from '@playwright/test'
import tests from '../../playwright.config'

const { use, ...shared } = tests

/** One browser at a time, with all of its compilers. */
export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: /measure-(?:page|watch)\.ts/,
  timeout: 6_000_000,
  reporter: 'line',
  use: {
    ...use,
    launchOptions: { ...use?.launchOptions, args: ['--no-sandbox', '--disable-gpu'] },
  },
  webServer: {
    command: `node ../../scripts/serve.mjs --port ${process.env.E2E_PORT}`,
    url: use?.baseURL ?? '',
  },
})
