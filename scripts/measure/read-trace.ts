/** Records a browser trace and reads from it what the main thread did. */
import type { CDPSession } from '@playwright/test'

export interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds; `tdur` is processor time of the thread. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** Milliseconds of processor time on the main thread, by step: up to the first frame, in total, and the longest task. */
export interface StepWork {
  readonly input: Spread
  readonly total: Spread
  readonly longest: Spread
}

interface Spread {
  readonly median: number
  readonly p95: number
}

/** Starts a trace; the function it gives ends it. */
export async function recordTrace(client: CDPSession): Promise<() => Promise<TraceEvent[]>> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { readonly value: readonly object[] }) => {
    events.push(...(value as readonly TraceEvent[]))
  }
  const timeline = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  const includedCategories = ['toplevel', 'blink.user_timing', ...timeline]
  client.on('Tracing.dataCollected', collect)
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories },
  })
  return async () => {
    const ended = new Promise<void>((resolve) =>
      client.once('Tracing.tracingComplete', () => resolve()),
    )
    await client.send('Tracing.end')
    await ended
    client.off('Tracing.dataCollected', collect)
    return events
  }
}

/** Milliseconds of processor time of the longest task on the main thread after a mark. */
export function longestTaskAfter(events: readonly TraceEvent[], mark: string): number {
  const first = marksNamed(events, mark)[0]
  const tasks = tasksOf(events, first).filter(({ ts, dur = 0 }) => ts + dur > first.ts)
  return Math.max(0, ...tasks.map(workOf))
}

/** Reads the work between successive marks named `step`. */
export function readSteps(events: readonly TraceEvent[]): StepWork {
  const marks = marksNamed(events, 'step')
  const tasks = tasksOf(events, marks[0])
  const dispatches = events.filter(
    (event) => event.name === 'EventDispatch' && isOnThreadOf(event, marks[0]),
  )
  const steps = marks.slice(1).map((end, at) => {
    const start = marks[at] as TraceEvent
    const own = tasks.filter(({ ts }) => ts > start.ts && ts < end.ts)
    const works = own.map(workOf)
    const isInput = ({ ts, dur = 0 }: TraceEvent) =>
      dispatches.some((dispatch) => dispatch.ts >= ts && dispatch.ts < ts + dur)
    return {
      input: Math.max(0, ...own.filter(isInput).map(workOf)),
      total: works.reduce((sum, work) => sum + work, 0),
      longest: Math.max(0, ...works),
    }
  })
  return {
    input: spreadOf(steps.map(({ input }) => input)),
    total: spreadOf(steps.map(({ total }) => total)),
    longest: spreadOf(steps.map(({ longest }) => longest)),
  }
}

function marksNamed(events: readonly TraceEvent[], mark: string): [TraceEvent, ...TraceEvent[]] {
  const [first, ...others] = events.filter(({ name }) => name === mark).sort((a, b) => a.ts - b.ts)
  if (first === undefined) throw new Error(`The trace has no mark "${mark}".`)
  return [first, ...others]
}

/** The tasks of the thread that set a mark. */
function tasksOf(events: readonly TraceEvent[], mark: TraceEvent): TraceEvent[] {
  return events.filter(
    (event) => event.name === 'RunTask' && event.dur !== undefined && isOnThreadOf(event, mark),
  )
}

function isOnThreadOf({ pid, tid }: TraceEvent, mark: TraceEvent): boolean {
  return pid === mark.pid && tid === mark.tid
}

function workOf({ dur = 0, tdur = dur }: TraceEvent): number {
  return tdur / 1000
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
  return { median: at(0.5), p95: at(0.95) }
}
