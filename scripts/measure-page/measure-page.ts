/**
 * Measures the built page in a browser: opening a transcript, and steps of the window's slider. Times depend on the
 * machine, so each value also has its ratio to that of the smallest transcript. Options: `--write` to write the table into
 * `docs/performance.md`, `--only NAME` for one transcript, `--profile FOLDER` to also write the trace of the steps.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { writeSection } from '../benchmark/write-section.mjs'
import { findBrowser } from '../ensure-browser.mjs'
import { createStaticServer, listen } from '../serve.mjs'
import { makeArray, makeBody, makeLines } from './make-transcripts'
import { FREQUENT_COLLECTION, followHeaps, peakMemoryOf } from './measure-memory'
import { type PageRow, pageTable, seconds } from './page-table'
import {
  longestTaskAfter,
  readSteps,
  recordTrace,
  type StepWork,
  type TraceEvent,
} from './read-trace'

const { values: options } = parseArgs({
  options: { write: { type: 'boolean' }, only: { type: 'string' }, profile: { type: 'string' } },
})

const TRANSCRIPTS = [
  { name: '0.6 MB, 313 results', extension: 'json', make: () => makeBody(313, 1450) },
  { name: '10 MB, 1,892 results', extension: 'json', make: () => makeBody(1892, 4750) },
  { name: '50 MB, 9,483 results', extension: 'json', make: () => makeBody(9483, 4750) },
  {
    name: '50 MB, one array of 17,000 turns',
    extension: 'json',
    make: () => makeArray(17_000, 2610),
  },
  {
    name: '50 MB, JSON Lines of 272 sessions',
    extension: 'jsonl',
    make: () => makeLines(272, 70, 2310),
  },
] as const

const ARGS = ['--no-sandbox', '--disable-gpu']
const BROWSERS = 5
const VISITS = 3
/** A browser that has just been started keeps both cores busy for some seconds. */
const MILLISECONDS_TO_SETTLE = 8_000
const STEPS = 40
/** A step's late work has begun by then. */
const MILLISECONDS_BETWEEN_STEPS = 250
const MOST_MILLISECONDS = 600_000
/** The later uses and the costs of a file are computed within this time after its figures. */
const MILLISECONDS_FOR_COSTS = 30_000

/** Marks the time at which a file is chosen. Runs in the page before its scripts. */
function watchPage(): void {
  const isCapture = true
  const mark = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.type === 'file') performance.mark('chosen')
  }
  addEventListener('change', mark, isCapture)
}

/** Resolves with the time at which the figures are those of the file. */
function whenFigures(file: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const meters = document.querySelector('[aria-label="Effect of masking"]')
      const isNamed = [...document.querySelectorAll('button')].some(({ textContent }) =>
        textContent.startsWith(`Document details:${file}`),
      )
      const isReady =
        isNamed &&
        meters?.closest('[aria-busy=true]') === null &&
        meters.querySelector('[role=progressbar][aria-label^="Counting"], .opacity-45') === null &&
        /\d tokens/.test(meters.textContent ?? '')
      if (isReady) resolve(performance.now())
      else setTimeout(look, 20)
    }
    look()
  })
}

/** Opens the site in a page of its own, with the sample that a first visit shows. */
async function openPage(browser: Browser, address: string) {
  // Storing the site for later would be measured, too.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    permissions: ['clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(MOST_MILLISECONDS)
  page.on('crash', () => console.log('The page crashed.'))
  // tsx calls this in the functions that it translates.
  await page.addInitScript('globalThis.__name = (value) => value')
  await page.addInitScript(watchPage)
  const client = await context.newCDPSession(page)
  const heaps = await followHeaps(client)
  await page.goto(address)
  await page.evaluate(whenFigures, 'coding-session')
  await page.waitForTimeout(3000)
  const heldBefore = await heaps.held()
  return { context, page, client, heaps, heldBefore }
}

/** The most bytes in use, more than before, while the page opens a file and computes its costs. */
async function measureMostUsed(address: string, file: string, args: readonly string[]) {
  const browser = await launch(args)
  const { page, heaps, heldBefore } = await openPage(browser, address)
  const end = heaps.sample()
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.evaluate(whenFigures, 'transcript')
  await page.waitForTimeout(MILLISECONDS_FOR_COSTS)
  const most = await end()
  await browser.close()
  return most - heldBefore
}

async function measure(
  browser: Browser,
  address: string,
  file: string,
): Promise<Omit<PageRow, 'name' | 'mostHeld' | 'mostUsed'>> {
  const { context, page, client, heaps, heldBefore } = await openPage(browser, address)
  const peakBefore = await peakMemoryOf(browser)
  const stop = await recordTrace(client, options.profile !== undefined)
  await page.locator('input[type=file]').first().setInputFiles(file)
  const shown = await page.evaluate(whenFigures, 'transcript')
  await page.waitForTimeout(5000)
  const opening = await stop()
  saveTrace('opening', opening)
  const chosen = await page.evaluate(
    () => performance.getEntriesByName('chosen')[0]?.startTime ?? 0,
  )
  const step = await measureSteps(page, client)
  const peak = await peakMemoryOf(browser)
  const held = (await heaps.held()) - heldBefore
  const actions = await measureActions(page, client)
  const row = {
    figures: shown - chosen,
    longestTask: longestTaskAfter(opening, 'chosen'),
    step,
    actions,
    size: statSync(file).size,
    held,
    peak: peak === undefined || peakBefore === undefined ? undefined : peak - peakBefore,
  }
  await context.close()
  return row
}

/** Milliseconds from the address to the figures of the sample: medians of the first visits of browsers, and of later ones. */
async function measureVisits(address: string): Promise<readonly [first: number, later: number]> {
  const visits: number[][] = []
  for (let browsers = 0; browsers < BROWSERS; browsers++) {
    // A profile on disk keeps compiled scripts, as that of a user does.
    const profile = mkdtempSync(join(tmpdir(), 'profile-'))
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: ARGS })
    const page = await context.newPage()
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.waitForTimeout(MILLISECONDS_TO_SETTLE)
    const times: number[] = []
    for (let visit = 0; visit < VISITS; visit++) {
      await page.goto('about:blank')
      await page.goto(address)
      times.push(await page.evaluate(whenFigures, 'coding-session'))
      // The service worker stores the site, and the costs are computed.
      await page.waitForTimeout(5000)
    }
    visits.push(times)
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
  const medianOf = (times: readonly number[]) =>
    times.toSorted((a, b) => a - b)[times.length >> 1] as number
  return [
    medianOf(visits.map(([first]) => first as number)),
    medianOf(visits.flatMap((times) => times.slice(1))),
  ]
}

/** Drags the window's slider pixel by pixel. */
async function measureSteps(page: Page, client: CDPSession): Promise<StepWork> {
  const thumb = page.getByRole('slider', { name: 'Window', exact: true }).locator('..')
  const box = await thumb.boundingBox()
  if (box === null) throw new Error('The slider of the window is not shown.')
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(place.x, place.y)
  await page.mouse.down()
  await page.mouse.move(place.x + 60, place.y)
  await page.waitForTimeout(3000)
  const stop = await recordTrace(client, options.profile !== undefined)
  for (let step = 1; step <= STEPS; step++) {
    await page.evaluate(() => performance.mark('step'))
    await page.mouse.move(place.x + 60 + step, place.y)
    await page.waitForTimeout(MILLISECONDS_BETWEEN_STEPS)
  }
  await page.evaluate(() => performance.mark('step'))
  const events = await stop()
  await page.mouse.up()
  saveTrace('steps', events)
  return readSteps(events)
}

/** Milliseconds of the longest task after each action. */
async function measureActions(page: Page, client: CDPSession): Promise<PageRow['actions']> {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
  const request = page.getByRole('spinbutton', { name: /request/i }).first()
  const mark = () => performance.mark('act')
  const longest = async (act: () => Promise<unknown>): Promise<number> => {
    const stop = await recordTrace(client, false)
    // A task of its own, after that of the trace.
    await page.waitForTimeout(100)
    await page.evaluate(mark)
    await act()
    await page.waitForTimeout(3000)
    return longestTaskAfter(await stop(), 'act')
  }
  const lookBack = await longest(async () => {
    await request.fill('50')
    await request.press('Enter')
  })
  const save = await longest(async () => {
    const download = page.waitForEvent('download')
    await button('Download').click()
    await download
  })
  const copy = await longest(() => button('Copy').click())
  const costs = await longest(() => button(/^Cost/).click())
  await page.addInitScript(mark)
  const reload = await longest(async () => {
    await page.reload()
    await page.evaluate(whenFigures, 'transcript')
  })
  return { lookBack, save, copy, costs, reload }
}

/** Chrome's DevTools and ui.perfetto.dev open it. */
function saveTrace(name: string, traceEvents: readonly TraceEvent[]): void {
  if (options.profile === undefined) return
  writeFileSync(join(options.profile, `${name}.json`), JSON.stringify({ traceEvents }))
}

const found = await findBrowser()
if (found === null) throw new Error('No browser was found; npm test installs one.')
const { path: executablePath } = found
const launch = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...ARGS, ...args] })
const server = createStaticServer()
const port = await listen(server, 0)
const folder = mkdtempSync(join(tmpdir(), 'measure-page-'))
if (options.profile !== undefined) mkdirSync(options.profile, { recursive: true })
const rows: PageRow[] = []
const loads: number[] = []
const address = `http://127.0.0.1:${port}${process.env.BASE_PATH ?? ''}/`
let visits = ''
try {
  if (options.only === undefined) {
    const [first, later] = await measureVisits(address)
    visits = `The figures of the sample are there ${seconds(first)} after the address is opened at a browser's first visit, ${seconds(later)} at a later one.`
    console.log(visits)
  }
  for (const { name, extension, make } of TRANSCRIPTS) {
    if (options.only !== undefined && !name.startsWith(options.only)) continue
    const file = join(folder, `transcript.${extension}`)
    writeFileSync(file, make())
    const browser = await launch()
    const row = await measure(browser, address, file)
    await browser.close()
    // Samples take time of the page, so each is opened once more for them.
    const mostUsed = await measureMostUsed(address, file, [])
    const mostHeld = await measureMostUsed(address, file, [FREQUENT_COLLECTION])
    rows.push({ name, ...row, mostHeld, mostUsed })
    loads.push(Math.round(loadavg()[0] as number))
    console.log(`${name}: done, load ${loads.at(-1)}`)
  }
} finally {
  rmSync(folder, { recursive: true })
  server.close()
}
const load = `Load of the machine: ${Math.min(...loads)} to ${Math.max(...loads)} on ${cpus().length} cores.`
const table = `${pageTable(rows)}\n\n${visits}\n\n${load}`
console.log(table)
if (options.write) writeSection('page', table)
