/** Measures the built page in a browser, and prints a table: `npm run measure-page`. */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { markdownTable, quantile } from '../../scripts/measure/testing/tables'
import { makeBody, makeMessages, sampledShape } from '../../scripts/measure/testing/transcripts'

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

const STEPS = 40
/** A step's late work has begun by then. */
const MILLISECONDS_BETWEEN_STEPS = 250
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

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds; `tdur` is processor time of the thread. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** Milliseconds of processor time. */
const workOf = ({ dur = 0, tdur = dur }: TraceEvent) => tdur / 1000
const sumOf = (tasks: readonly TraceEvent[]) => tasks.reduce((sum, task) => sum + workOf(task), 0)
const longestOf = (tasks: readonly TraceEvent[]) => Math.max(0, ...tasks.map(workOf))

/** Records what the page's main thread does meanwhile; the function has its events of a name. */
async function traceOf(browser: Browser, page: Page, work: () => Promise<void>) {
  const timeline = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing', ...timeline] })
  await work()
  await page.evaluate(() => performance.mark('main thread'))
  const trace = JSON.parse((await browser.stopTracing()).toString())
  const events: TraceEvent[] = trace.traceEvents
  const thread = events.find(({ name }) => name === 'main thread')
  if (thread === undefined) throw new Error('The trace has no mark of the page.')
  const own = events.filter(({ pid, tid }) => pid === thread.pid && tid === thread.tid)
  return (wanted: string) =>
    own.filter(({ name }) => name === wanted).sort((one, other) => one.ts - other.ts)
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

  const bars = await page.locator('[data-picture=bars]').first().boundingBox()
  const edge = page.locator('section:has([data-picture=bars]) [role=slider]').last()
  const from = await edge.boundingBox()
  if (bars === null || from === null) throw new Error('The edge of the window is not shown.')
  const moveBy = (x: number) => page.mouse.move(from.x - x, bars.y + bars.height / 2)
  await moveBy(0)
  await page.mouse.down()
  await moveBy(60)
  await page.waitForTimeout(3000)
  const dragged = await traceOf(browser, page, async () => {
    for (let step = 1; step <= STEPS; step++) {
      await page.evaluate(() => performance.mark('step'))
      await moveBy(60 + step)
      await page.waitForTimeout(MILLISECONDS_BETWEEN_STEPS)
    }
    await page.evaluate(() => performance.mark('step'))
  })
  await context.close()
  const starts = dragged('step').map(({ ts }) => ts)
  const [tasks, inputs] = [dragged('RunTask'), dragged('EventDispatch')]
  const steps = starts
    .slice(0, -1)
    .map((start, at) => tasks.filter(({ ts }) => ts > start && ts < (starts[at + 1] as number)))
  const hasInput = ({ ts, dur = 0 }: TraceEvent) =>
    inputs.some((input) => input.ts >= ts && input.ts < ts + dur)
  const most = (of: (tasks: readonly TraceEvent[]) => number) => quantile(steps.map(of), 0.95)
  return {
    'first view, all work': sumOf(first('RunTask')),
    'first view, longest task': longestOf(first('RunTask')),
    'file chosen to figures': figures,
    'longest task while opening': longestOf(opened('RunTask')),
    'step until its frame, 95 %': most((own) => longestOf(own.filter(hasInput))),
    'all work of a step, 95 %': most(sumOf),
    'longest task of all steps': longestOf(steps.flat()),
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
