import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { IS_LARGE } from '../lib/core/testing/test-size'
import { expect, expectFitsPage, test } from './fixtures'
import { PlaygroundPage } from './playground-page'
import { boxOf } from './steps'

test('the built page starts under its own content security policy', async ({ visitor: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('./')
  await expect(page).toHaveTitle('Observation Masking Playground')
  await expect(page.locator('meta[http-equiv][content*="script-src"]')).toHaveCount(1)

  // The inline theme script ran.
  await expect(page.locator('html')).toHaveClass(/\bdark\b/)
  // React started: only then does the theme follow the system.
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveClass(/\blight\b/)
})

test('next to nothing moves in the first view, at any width', async ({ visitor: page }) => {
  await watchFirstView(page)
  for (const width of IS_LARGE ? [390, 768, 1024, 1280, 1920] : [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('./')
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('saves')
    await expect(page.getByRole('main').getByRole('button').first()).toBeVisible()
    await expectLightFirstView(page)
  }
})

test('nothing is cut at 1,024 pixels; a long file name keeps both ends', async ({ playground }) => {
  const { page } = playground
  await playground.open('v=2')
  await page.setViewportSize({ width: 1024, height: 900 })
  for (const language of ['English', 'Français']) {
    const choose = page.getByRole('button', { name: language })
    if (await choose.isVisible()) await choose.click()
    for (const sample of ['coding-session', 'data-analysis', 'many-runs']) {
      await playground.follow(`v=2&s=${sample}`)
      await expect(page.locator('header').first()).toContainText(sample)
      // A line number is that of a cursor.
      await expect(page.getByText(/^(line|ligne) \d+$/)).toBeHidden()
      await expect.poll(() => cutLabels(page), `${language}, ${sample}`).toEqual([])
    }
  }
  await page.getByRole('button', { name: 'English' }).click()
  const name = 'transcript-of-the-longest-session-of-last-week-with-tools.jsonl'
  await playground.openText(name, '{"role":"user","content":"hello"}')
  const end = playground.badge.getByText(/ools\.jsonl$/).last()
  await expect(end).toBeVisible()
  const [whole, button] = [await boxOf(end), await boxOf(playground.badge)]
  expect(whole.x + whole.width).toBeLessThan(button.x + button.width)
  // A short one has no gap.
  await playground.openText('none.json', '[{"role":"user","content":"hello"}]')
  const gap = await playground.badge.evaluate((badge) => {
    const start = [...badge.querySelectorAll('span[aria-hidden] > span')].at(-1) as Element
    const range = document.createRange()
    range.selectNodeContents(start)
    return start.getBoundingClientRect().width - range.getBoundingClientRect().width
  })
  expect(gap).toBeLessThan(0.5)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('on a wide screen parts of the page scroll, the page never does', async ({ playground }) => {
  const { page } = playground
  await playground.open('v=2&s=coding-session')
  for (const view of ['masked', 'messages', 'diff', 'results', 'cost', 'mechanisms']) {
    // At break-even the panel of the policy is longest.
    await playground.follow(`v=2&s=coding-session&w=8&b=auto&o=${view}`)
    await expect(page.getByText('Comparing the texts')).toBeHidden()
    const beyond = () =>
      page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return [scrollWidth - innerWidth, scrollHeight - innerHeight]
      })
    await expect.poll(beyond, view).toEqual([0, 0])
  }
})

/** The texts with an ellipsis outside the editors, but for what a conversation begins with and the start of a file name. */
function cutLabels(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      const isCut = element.scrollWidth > element.clientWidth + 1
      if (!isCut || getComputedStyle(element).textOverflow !== 'ellipsis') return []
      const isContent = element.closest('[role=combobox], .monaco-editor, [role=feed], .sr-only')
      return isContent === null && element.clientWidth > 1 ? [element.textContent] : []
    }),
  )
}

test('a French browser gets a French page; another language keeps the document', async ({
  visitor: page,
}) => {
  const playground = new PlaygroundPage(page)
  const client = await page.context().newCDPSession(page)
  const userAgent = await page.evaluate(() => navigator.userAgent)
  await client.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: 'fr-FR' })
  await watchFirstView(page)
  await page.goto('./')
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict).toContainText(/Masquer.* (économise|coûte) \d+\s%/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.getByText('Requête suivante').first()).toBeVisible()
  await expectLightFirstView(page)
  await expectFitsPage(page)

  await page.goto('./#v=2&w=3&s=log-reading')

  await page.getByRole('button', { name: 'English' }).click()
  await expect(verdict).toContainText(/Masking.* (saves|costs) \d+%/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(playground.badge).toHaveAccessibleName(/log-reading\.json/)
  await expect(playground.window).toHaveValue('3')
  await page.getByRole('button', { name: 'Français' }).click()
  await expect(verdict).toContainText(/Masquer.* (économise|coûte)/)

  // The longest footer.
  await page.goto('./#v=2&s=broken-history')
  await expect(page.getByRole('contentinfo')).toContainText('que des fournisseurs refusent')
  for (const width of [1792, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expectFitsPage(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto('./help')
  await page.waitForLoadState('networkidle')
  await expect(page).toHaveTitle('Comment fonctionne le masquage · Observation Masking')
  await client.detach()
})

/** Gzip of the scripts of the page, without its workers', that load before the first figures. */
const MOST_SCRIPT_BYTES = 350_000

/** Notes every layout shift, when the first figures are shown, and the workers that have started until then. */
function watchFirstView(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const seen = { shift: 0, workers: 0, shown: undefined as number | undefined }
    const { Worker } = globalThis
    const CountedWorker = class extends Worker {
      constructor(...[url, options]: ConstructorParameters<typeof Worker>) {
        super(url, options)
        if (seen.shown === undefined) seen.workers++
      }
    }
    Object.assign(globalThis, { seen, Worker: CountedWorker })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shift += (entry as PerformanceEntry & { readonly value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver((_, observer) => {
      const verdict = document.querySelector('[aria-label="Verdict"]')
      if (!/saves|costs|économise|coûte/i.test(verdict?.textContent ?? '')) return
      observer.disconnect()
      seen.shown = performance.now()
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
}

/** Expects few scripts and no worker before the figures, and that next to nothing moves. */
async function expectLightFirstView(page: Page): Promise<void> {
  // The browser lists a script some time after it was loaded: the list is read when all is still.
  const { shift, workers, scripts } = await page.evaluate(() => {
    const { seen } = globalThis as unknown as {
      readonly seen: { shift: number; workers: number; shown?: number }
    }
    const { shift, workers, shown = 0 } = seen
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = loaded
      .filter(({ name, initiatorType }) => initiatorType === 'script' && name.endsWith('.js'))
      .filter(({ responseEnd }) => responseEnd <= shown)
      .map(({ name }) => name)
    return { shift, workers, scripts }
  })
  const bodies = await Promise.all(scripts.map((url) => page.request.get(url)))
  const sizes = await Promise.all(bodies.map(async (body) => gzipSync(await body.body()).length))
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_SCRIPT_BYTES)
  expect(workers).toBe(0)
  expect(shift).toBeGreaterThan(0)
  expect(shift).toBeLessThan(0.05)
}
