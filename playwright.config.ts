import { createServer } from 'node:net'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/ensure-browser.mjs'

// The first process picks port and browser; its workers read this file again and inherit them.
process.env.E2E_PORT ??= String(await freePort())
const address = `http://127.0.0.1:${process.env.E2E_PORT}${process.env.BASE_PATH ?? ''}/`
process.env.PLAYWRIGHT_CHROMIUM ??= (await findBrowser())?.path ?? ''
const executablePath = process.env.PLAYWRIGHT_CHROMIUM
const isLarge = process.env.TEST_SIZE === 'large'
/** Most pages of the tests live for a minute: the slower of the optimising compilers costs more than it saves. */
const SHORT_LIVED = '--js-flags=--no-turbofan'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  workers: 2,
  // Machines that run this are shared: what hangs is still found, what is slow is not failed.
  timeout: isLarge ? 300_000 : 120_000,
  expect: { timeout: 20_000 },
  // A test that passes only when repeated is counted and named, not hidden.
  retries: process.env.CI ? 1 : 0,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ['line'],
    ['json', { outputFile: process.env.BROWSER_REPORT ?? 'test-results/browser.json' }],
  ],
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    // Recording every test costs a quarter of the time; `--trace on` records the one that failed.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        ...(isLarge ? [] : [SHORT_LIVED]),
      ],
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
  webServer: {
    command: `node scripts/serve.mjs --port ${process.env.E2E_PORT}`,
    url: address,
    reuseExistingServer: false,
  },
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const bound = server.address()
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0))
    })
  })
}
