/** What the main thread of a page does while the edge of the window is dragged. */
import type { Browser, Page } from '@playwright/test'
import { quantile } from '../../scripts/measure/testing/tables'

const STEPS = 40
/** A step's late work has begun by then. */
const MILLISECONDS_BETWEEN_STEPS = 250

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
export const sumOf = (tasks: readonly TraceEvent[]) =>
  tasks.reduce((sum, task) => sum + workOf(task), 0)
export const longestOf = (tasks: readonly TraceEvent[]) => Math.max(0, ...tasks.map(workOf))

/** Records what the page's main thread does meanwhile; the function has its events of a name. */
export async function traceOf(browser: Browser, page: Page, work: () => Promise<void>) {
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

/** Milliseconds of dragging the edge of the window pixel by pixel, by what is measured. */
export async function measureSteps(browser: Browser, page: Page) {
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
  await page.mouse.up()
  const starts = dragged('step').map(({ ts }) => ts)
  const [tasks, inputs] = [dragged('RunTask'), dragged('EventDispatch')]
  const steps = starts
    .slice(0, -1)
    .map((start, at) => tasks.filter(({ ts }) => ts > start && ts < (starts[at + 1] as number)))
  const hasInput = ({ ts, dur = 0 }: TraceEvent) =>
    inputs.some((input) => input.ts >= ts && input.ts < ts + dur)
  const most = (of: (tasks: readonly TraceEvent[]) => number) => quantile(steps.map(of), 0.95)
  return {
    'step until its frame, 95 %': most((own) => longestOf(own.filter(hasInput))),
    'all work of a step, 95 %': most(sumOf),
    'longest task of all steps': longestOf(steps.flat()),
  }
}
