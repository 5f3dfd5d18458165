/** What loads and moves before the first figures are shown. */
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect } from './fixtures'

/** Gzip of the scripts of the page, without its workers', that load before the first figures. */
const MOST_SCRIPT_BYTES = 350_000

/** Notes every layout shift, when the first figures are shown, and the workers that have started until then. */
export function watchFirstView(page: Page): Promise<unknown> {
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
      if (!/saves|costs|économise|coûte/.test(verdict?.textContent ?? '')) return
      observer.disconnect()
      seen.shown = performance.now()
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
}

/** Expects few scripts and no worker before the figures, and that next to nothing moves. */
export async function expectLightFirstView(page: Page): Promise<void> {
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
