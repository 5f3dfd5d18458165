import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { IS_LARGE } from '../lib/core/testing/test-size'
import { PlaygroundPage } from './playground-page'
import { deleteStorage } from './steps'

export { expect }

interface Fixtures {
  /** The page; a test starts it with `open()`, or with `reuse()` where what the test before left does not matter. */
  readonly playground: PlaygroundPage
  /** An empty page in a browser that has stored nothing; the page of the test before is closed. */
  readonly visitor: Page
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
  /** The browser of all tests of a process, its page, and the problems of the test that runs in it. */
  readonly shared: {
    readonly context: BrowserContext
    readonly problems: string[]
    page?: Page
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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
  context: async ({ shared, problems: _problems, permissions }, use) => {
    const { context } = shared
    if (permissions !== undefined) await context.grantPermissions([...permissions])
    await use(context)
    await context.clearPermissions()
    for (const page of context.pages().slice(1)) if (page !== shared.page) await page.close()
  },
  // The page of the test before, unless that test closed it: most tests cost less than opening the site again.
  page: async ({ shared, context, viewport, baseURL }, use) => {
    if (shared.page === undefined || shared.page.isClosed()) {
      shared.page = await context.newPage()
      await deleteStorage(shared.page, new URL(baseURL ?? '').origin)
    }
    const { page } = shared
    if (viewport !== null && viewport !== undefined) await page.setViewportSize(viewport)
    await use(page)
    if (page.isClosed()) return
    page.removeAllListeners('dialog')
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null })
  },
  visitor: async ({ shared, context, baseURL }, use) => {
    await shared.page?.close()
    const page = await context.newPage()
    await deleteStorage(page, new URL(baseURL ?? '').origin)
    await use(page)
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
  options: { readonly colorScheme?: 'light' | 'dark'; readonly rules?: string[] } = {},
): Promise<void> {
  const { colorScheme, rules } = options
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
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const found = await page.evaluate(
    async ([include, runOnly]) => {
      const { axe } = globalThis as unknown as { readonly axe: typeof import('axe-core') }
      const more = ['target-size', 'label-content-name-mismatch']
      const { violations } = await axe.run(include ?? document, {
        ...(runOnly
          ? { runOnly }
          : { rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])) }),
        resultTypes: ['violations'],
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
      )
    },
    [part, rules] as const,
  )
  expect(found).toEqual([])
}

/** The same in both themes, which differ by their colours. */
export async function expectAccessibleInBoth(page: Page, part?: string): Promise<void> {
  const rules = ['color-contrast', 'link-in-text-block']
  await expectAccessible(page, part, { colorScheme: 'dark', rules })
  await expectAccessible(page, part, { colorScheme: 'light' })
}

export const PHONE = { width: 390, height: 844 }

/** Fails if the page is wider than the screen. */
export async function expectFitsPage(page: Page): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider).toBe(0)
}

/** Draws a picture in forced colours, light and dark: each viewer reads a colour's name otherwise, and a text differs from its ground. */
export async function expectSeenInForcedColours(
  page: Page,
  draw: () => Promise<string>,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${colorScheme}\\b`))
    const svg = await draw()
    const fills = [...svg.matchAll(/(?:fill|stroke)="(.*?)"/g)].map(([, colour]) => colour)
    expect(
      new Set(fills.filter((colour = '') => !/^(?:none|rgba?\(|oklab\(|url\()/.test(colour))),
    ).toEqual(new Set())
    const [text, ground] = fills
    expect(fills.length, svg).toBeGreaterThan(5)
    expect(ground).not.toBe(text)
    for (const [, tone] of svg.matchAll(/<text[^>]*fill="(.*?)"/g)) expect(tone).not.toBe(ground)
  }
}
