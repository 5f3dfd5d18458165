import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { IS_LARGE } from '../lib/core/testing/test-size'
import { deleteStorage, PlaygroundPage } from './playground-page'

export { expect }

interface Fixtures {
  /** The page of this test; open it with `playground.open()`. */
  readonly playground: PlaygroundPage
  /** Opens another browser with empty storage; the test also fails on its errors. */
  readonly openBrowser: () => Promise<BrowserContext>
  /** Also fails on errors in a browser that the test started itself. */
  readonly watch: (context: BrowserContext, origin?: string) => Promise<void>
}

interface Internal {
  /** Console errors and failed requests of all pages of the test; the test fails unless it is empty. */
  readonly problems: string[]
}

interface Shared {
  /** The browser of all tests of a process, and the problems of the test that runs in it. */
  readonly shared: { readonly context: BrowserContext; readonly problems: string[] }
}

/**
 * Each test has a new site without a service worker: one would store the whole site again for each of them, and answer
 * requests that the tests watch. `offline.spec.ts` has one. This is how the browser says so.
 */
const BLOCKED = 'Service Worker registration blocked by Playwright'

/**
 * Fails every test whose pages log an error or a warning, throw, fail to load something, violate
 * the content security policy, or send a request to another origin.
 */
export const test = base.extend<Fixtures & Internal, Shared>({
  // A browser with a profile on disk keeps the compiled scripts: a page starts in half the time.
  shared: [
    async ({ playwright, launchOptions }, use, { project }) => {
      const profile = mkdtempSync(join(tmpdir(), 'browser-'))
      const { baseURL = '', viewport } = project.use
      const context = await playwright.chromium.launchPersistentContext(profile, {
        ...launchOptions,
        baseURL,
        serviceWorkers: 'block',
        ...(viewport === undefined ? {} : { viewport }),
      })
      const problems: string[] = []
      await watchContext(context, problems, new URL(baseURL).origin)
      await use({ context, problems })
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  problems: async ({ shared }, use) => {
    shared.problems.length = 0
    await use(shared.problems)
    expect(shared.problems, 'Problems in the pages of this test').toEqual([])
  },
  watch: async ({ problems, baseURL }, use) => {
    const ours = new URL(baseURL ?? '').origin
    await use((context, origin = ours) => watchContext(context, problems, origin))
  },
  // Its pages are closed before the problems are read.
  context: async ({ shared, problems: _problems, permissions, baseURL }, use) => {
    const { context } = shared
    if (permissions !== undefined) await context.grantPermissions([...permissions])
    await use(context)
    await context.clearPermissions()
    const [first, ...others] = context.pages() as [Page, ...Page[]]
    for (const page of others) await page.close()
    await deleteStorage(first, new URL(baseURL ?? '').origin)
  },
  playground: async ({ page }, use) => {
    await use(new PlaygroundPage(page))
  },
  openBrowser: async ({ browser, watch, contextOptions, viewport }, use) => {
    const opened: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext({
        ...contextOptions,
        viewport,
        serviceWorkers: 'block',
      })
      opened.push(context)
      await watch(context)
      return context
    })
    for (const context of opened) await context.close()
  },
})

/** A test of `npm run test:all` only: of a rare event, or a variant of what another test does. */
export const largeTest = IS_LARGE ? test : test.skip

/** A step of that kind. */
export async function largeStep(title: string, body: () => Promise<void>): Promise<void> {
  if (IS_LARGE) await test.step(title, body)
}

async function watchContext(context: BrowserContext, problems: string[], origin: string) {
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && message.text() !== BLOCKED)
      problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin)
      problems.push(`Request to another origin: ${request.url()}`)
  })
  // A service worker looks for a server, or for itself, where either may be gone.
  context.on('response', (response) => {
    if (response.status() >= 400 && response.request().serviceWorker() === null)
      problems.push(`${response.status()}: ${response.url()}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page that is left or closed aborts what it is still loading.
    if (reason !== 'net::ERR_ABORTED' && request.serviceWorker() === null)
      problems.push(`${reason}: ${request.url()}`)
  })
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`Policy violation: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
}

/** Fails if axe finds a violation in the page or a part of it, in the given or the current theme. */
export async function expectAccessible(
  page: Page,
  part?: string,
  { colorScheme }: { readonly colorScheme?: 'light' | 'dark' } = {},
): Promise<void> {
  if (colorScheme !== undefined) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${colorScheme}\\b`))
  }
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    // One of an element that is hidden meanwhile may never end.
    const waited = new Promise((resolve) => setTimeout(resolve, 3000))
    await Promise.race([waited, Promise.allSettled(ending.map(({ finished }) => finished))])
  })
  const rules = {
    'target-size': { enabled: true },
    'label-content-name-mismatch': { enabled: true },
  }
  const builder = new AxeBuilder({ page })
    .options({ rules, resultTypes: ['violations'] })
    // Otherwise it opens a page of its own each time, which takes as long as the check.
    .setLegacyMode(true)
  if (part !== undefined) builder.include(part)
  const { violations } = await builder.analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
  )
  expect(found).toEqual([])
}

export const PHONE = { width: 390, height: 844 }

/** Fails if the page is wider than the screen. */
export async function expectFitsPage(page: Page): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider).toBe(0)
}
