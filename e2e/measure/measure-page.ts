/** Measures the built page in a browser, and prints a table: `npm run measure-page`. */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { type Browser, expect, test } from '@playwright/test'
import { markdownTable } from '../../scripts/measure/testing/tables'
import { makeBody, makeMessages, sampledShape } from '../../scripts/measure/testing/transcripts'
import { longestOf, measureSteps, sumOf, traceOf } from './main-thread'

const makeSessions = (): string => {
  const shape = sampledShape(70, 2310)
  const session = () => JSON.stringify({ messages: makeMessages(shape) })
  return Array.from({ length: 272 }, session).join('\n')
}

const TRANSCRIPTS = [
  ['0.6 MB, 313 results', 'a.json', () => makeBody(sampledShape(313, 1450))],
  ['10 MB, 1,892 results', 'a.json', () => makeBody(sampledShape(1892, 4750))],
  ['50 MB, 9,483 results', 'a.json', () => makeBody(sampledShape(9483, 4750))],
  ['50 MB, JSON Lines of 272 sessions', 'a.jsonl', makeSessions],
] as const

const MOST_MILLISECONDS = 120_000

/** Resolves with the time at which the figures are those of the file. Runs in the page, so it has no named functions: tsx marks them. */
async function whenFigures(file: string): Promise<number> {
  for (;;) {
    const meters = document.querySelector('[aria-label="Effect of masking"]')
    const isNamed = [...document.querySelectorAll('button')].some(({ textContent }) =>
      textContent.startsWith(`Document details:${file}`),
    )
    const isReady =
      isNamed &&
      meters?.closest('[aria-busy=true]') === null &&
      meters.querySelector('[role=progressbar][aria-label^="Counting"], .opacity-45') === null &&
      /\d tokens/.test(meters.textContent ?? '')
    if (isReady) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Milliseconds, by row of the table: of opening a file, and of dragging the edge of the window pixel by pixel. */
async function measure(browser: Browser, address: string, file: string) {
  // Storing the site for later would be measured, too.
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' })
  const page = await context.newPage()
  page.setDefaultTimeout(MOST_MILLISECONDS)
  page.on('crash', () => console.error('The page crashed.'))
  const first = await traceOf(browser, page, async () => {
    await page.goto(address)
    await page.evaluate(whenFigures, 'coding-session')
    await page.waitForTimeout(3000)
  })
  let figures = 0
  const opened = await traceOf(browser, page, async () => {
    const chosen = await page.evaluate(() => performance.now())
    await page.locator('input[type=file]').first().setInputFiles(file)
    figures = (await page.evaluate(whenFigures, 'a')) - chosen
    await page.waitForTimeout(5000)
  })

  const steps = await measureSteps(browser, page)
  await context.close()
  return {
    'first view, all work': sumOf(first('RunTask')),
    'first view, longest task': longestOf(first('RunTask')),
    'file chosen to figures': figures,
    'longest task while opening': longestOf(opened('RunTask')),
    ...steps,
  }
}

const shown = (value = 0) =>
  value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`

test('the first view, opening a transcript, and steps of the edge of the window', async ({
  playwright,
  launchOptions,
  baseURL,
}, info) => {
  const columns: (readonly [string, Record<string, number>])[] = []
  for (const [name, file, make] of TRANSCRIPTS) {
    const path = info.outputPath(file)
    writeFileSync(path, make())
    const browser = await playwright.chromium.launch(launchOptions)
    columns.push([name, await measure(browser, baseURL ?? '', path)])
    await browser.close()
    console.error(`${name}: done`)
  }
  const rows = Object.keys(columns[0]?.[1] ?? {}).map((row) => ({
    '': row,
    ...Object.fromEntries(columns.map(([name, measured]) => [name, shown(measured[row])])),
  }))
  const load = (loadavg()[0] as number).toFixed(1)
  console.log(`\n${markdownTable(rows)}\n\nLoad of the machine: ${load} on ${cpus().length} cores.`)
  for (const [name, measured] of columns)
    for (const [row, value] of Object.entries(measured))
      expect(value, `${name}: ${row}`).toBeGreaterThan(0)
})
