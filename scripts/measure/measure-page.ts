/**
 * Measures the built page in a browser: the first view, opening a transcript, and steps of the window's slider. `--only
 * TEXT` measures the transcripts whose name begins with it, and no first view.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../ensure-browser.mjs'
import { createStaticServer, listen } from '../serve.mjs'
import { markdownTable } from './compare'
import { makeBody, makeMessages, sampledShape } from './transcripts'

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })

const makeSessions = (): string => {
  const shape = sampledShape(70, 2310)
  const sessions = Array.from({ length: 272 }, () => ({ messages: makeMessages(shape) }))
  return sessions.map((session) => JSON.stringify(session)).join('\n')
}

const TRANSCRIPTS = [
  { name: '0.6 MB, 313 results', file: 'a.json', make: () => makeBody(sampledShape(313, 1450)) },
  { name: '10 MB, 1,892 results', file: 'a.json', make: () => makeBody(sampledShape(1892, 4750)) },
  { name: '50 MB, 9,483 results', file: 'a.json', make: () => makeBody(sampledShape(9483, 4750)) },
  { name: '50 MB, JSON Lines of 272 sessions', file: 'a.jsonl', make: makeSessions },
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

/** Milliseconds; of the steps, of which 95 % took at most as long. */
const ROWS = {
  figures: 'file chosen to figures',
  opening: 'longest task while opening',
  input: 'step until its frame, 95 %',
  total: 'all work of a step, 95 %',
  longest: 'longest task of a step, 95 %',
}

type Measures = Readonly<Record<keyof typeof ROWS, number>>

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

async function measure(browser: Browser, address: string, file: string): Promise<Measures> {
  // Storing the site for later would be measured, too.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(MOST_MILLISECONDS)
  page.on('crash', () => console.error('The page crashed.'))
  await page.goto(address)
  await page.evaluate(whenFigures, 'coding-session')
  await page.waitForTimeout(3000)

  let figures = 0
  const { tasks } = await traceOf(browser, page, async () => {
    const chosen = await page.evaluate(() => performance.now())
    await page.locator('input[type=file]').first().setInputFiles(file)
    figures = (await page.evaluate(whenFigures, 'a')) - chosen
    await page.waitForTimeout(5000)
  })
  const opening = Math.max(0, ...tasks.map(workOf))
  const steps = await measureSteps(browser, page)
  await context.close()
  return { figures, opening, ...steps }
}

/** Milliseconds from the address to the figures of the sample: medians of the first visits of browsers, and of later ones. */
async function measureVisits(address: string): Promise<readonly [first: number, later: number]> {
  const [first, later]: [number[], number[]] = [[], []]
  for (let browsers = 0; browsers < BROWSERS; browsers++) {
    // A profile on disk keeps compiled scripts, as that of a user does.
    const profile = mkdtempSync(join(tmpdir(), 'profile-'))
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: ARGS })
    const page = await context.newPage()
    await page.waitForTimeout(MILLISECONDS_TO_SETTLE)
    for (let visit = 0; visit < VISITS; visit++) {
      await page.goto('about:blank')
      await page.goto(address)
      const times = visit === 0 ? first : later
      times.push(await page.evaluate(whenFigures, 'coding-session'))
      // The service worker stores the site, and the costs are computed.
      await page.waitForTimeout(5000)
    }
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
  const medianOf = (times: readonly number[]) =>
    times.toSorted((a, b) => a - b)[times.length >> 1] as number
  return [medianOf(first), medianOf(later)]
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

/** Records what the page's main thread does meanwhile: all events by name, and its tasks. */
async function traceOf(browser: Browser, page: Page, work: () => Promise<void>) {
  const timeline = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing', ...timeline] })
  await page.evaluate(() => performance.mark('main thread'))
  await work()
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(
    (await browser.stopTracing()).toString(),
  )
  const thread = traceEvents.find(({ name }) => name === 'main thread')
  if (thread === undefined) throw new Error('The trace has no mark of the page.')
  const own = traceEvents.filter(({ pid, tid }) => pid === thread.pid && tid === thread.tid)
  const named = (wanted: string) =>
    own.filter(({ name }) => name === wanted).sort((a, b) => a.ts - b.ts)
  return { named, tasks: named('RunTask').filter(({ dur }) => dur !== undefined) }
}

/** Drags the window's slider pixel by pixel. */
async function measureSteps(
  browser: Browser,
  page: Page,
): Promise<Pick<Measures, 'input' | 'total' | 'longest'>> {
  const thumb = page.getByRole('slider', { name: 'Window', exact: true }).locator('..')
  const box = await thumb.boundingBox()
  if (box === null) throw new Error('The slider of the window is not shown.')
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(place.x, place.y)
  await page.mouse.down()
  await page.mouse.move(place.x + 60, place.y)
  await page.waitForTimeout(3000)
  const { named, tasks } = await traceOf(browser, page, async () => {
    for (let step = 1; step <= STEPS; step++) {
      await page.evaluate(() => performance.mark('step'))
      await page.mouse.move(place.x + 60 + step, place.y)
      await page.waitForTimeout(MILLISECONDS_BETWEEN_STEPS)
    }
    await page.evaluate(() => performance.mark('step'))
  })
  await page.mouse.up()
  const [marks, dispatches] = [named('step'), named('EventDispatch')]
  const isInput = ({ ts, dur = 0 }: TraceEvent) =>
    dispatches.some((dispatch) => dispatch.ts >= ts && dispatch.ts < ts + dur)
  const spread = (measure: (own: readonly TraceEvent[]) => number) => {
    const steps = marks.slice(1).map((end, at) => {
      const start = marks[at] as TraceEvent
      return measure(tasks.filter(({ ts }) => ts > start.ts && ts < end.ts))
    })
    return steps.sort((a, b) => a - b)[Math.ceil(STEPS * 0.95) - 1] ?? 0
  }
  const longest = (own: readonly TraceEvent[]) => Math.max(0, ...own.map(workOf))
  return {
    input: spread((own) => longest(own.filter(isInput))),
    total: spread((own) => own.reduce((sum, task) => sum + workOf(task), 0)),
    longest: spread(longest),
  }
}

function tableOf(names: readonly string[], measured: readonly Measures[]): string {
  const rows = Object.entries(ROWS).map(([key, name]) => {
    const values = measured.map((one) => one[key as keyof Measures])
    const shown = (value: number) =>
      value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`
    return [name, ...values.map(shown)]
  })
  return markdownTable(['', ...names], rows)
}

const found = await findBrowser()
if (found === null) throw new Error('No browser was found; npm test installs one.')
const { path: executablePath } = found
const server = createStaticServer()
const port = await listen(server, 0)
const folder = mkdtempSync(join(tmpdir(), 'measure-page-'))
const address = `http://127.0.0.1:${port}${process.env.BASE_PATH ?? ''}/`
const names: string[] = []
const measured: Measures[] = []
const loads: number[] = []
try {
  if (options.only === undefined) {
    const [first, later] = (await measureVisits(address)).map((time) => (time / 1000).toFixed(1))
    console.log(
      `The figures of the sample are there ${first} s after the address is opened at a browser's first visit, ${later} s at a later one.\n`,
    )
  }
  for (const { name, file, make } of TRANSCRIPTS) {
    if (options.only !== undefined && !name.startsWith(options.only)) continue
    const path = join(folder, file)
    writeFileSync(path, make())
    const browser = await chromium.launch({ executablePath, args: ARGS })
    measured.push(await measure(browser, address, path))
    await browser.close()
    names.push(name)
    loads.push(Math.round(loadavg()[0] as number))
    console.error(`${name}: done`)
  }
} finally {
  rmSync(folder, { recursive: true })
  server.close()
}
console.log(
  `${tableOf(names, measured)}\n\nLoad of the machine: ${Math.min(...loads)} to ${Math.max(...loads)} on ${cpus().length} cores.`,
)
