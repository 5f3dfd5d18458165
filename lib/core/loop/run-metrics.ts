import { groupBy } from '../conversation/add-to-group'
import type { ResultCode } from './call-result'
import { isFinalEvent, type LoopEvent } from './run-batch'

/** Totals of a run, or of one tool in it. */
export type RunMetrics = Readonly<ReturnType<typeof metricsOf>>

/** Sums events by tool, in the order the tools were first called, and over all tools. */
export function runMetrics(events: readonly LoopEvent[]): {
  readonly all: RunMetrics
  readonly tools: ReadonlyMap<string, RunMetrics>
} {
  const byTool = groupBy(events, ({ name }) => name)
  const tools = [...byTool].map(([name, own]) => [name, metricsOf(own)] as const)
  return { all: metricsOf(events), tools: new Map(tools) }
}

function metricsOf(events: readonly LoopEvent[]) {
  const count = (...kinds: LoopEvent['kind'][]) =>
    events.filter(({ kind }) => kinds.includes(kind)).length
  const succeeded = count('finished')
  const failed = count('failed')
  const stopped = count('refused', 'dropped', 'duplicate')
  const ran = succeeded + failed
  const codes: Partial<Record<ResultCode, number>> = {}
  for (const { code } of events.filter(isFinalEvent))
    if (code !== undefined) codes[code] = (codes[code] ?? 0) + 1
  const time = events.reduce((sum, { duration }) => sum + (duration ?? 0), 0)
  return {
    /** Calls that were processed. */
    calls: ran + stopped,
    succeeded,
    failed,
    /** Calls that a guard, a limit or the schema check stopped. */
    stopped,
    retries: count('retried'),
    /** Calls without a result from their tool, by the code they were answered with. */
    codes,
    /** Share of the calls run that succeeded, from 0 to 1; undefined if none ran. */
    successRate: ran === 0 ? undefined : succeeded / ran,
    /** Mean milliseconds of a call that ran; undefined if none ran. */
    averageTime: ran === 0 ? undefined : time / ran,
  }
}

/** Writes events as lines of text: seconds since the first event, batch, call, event, code, duration. */
export function writeTrace(events: readonly LoopEvent[]): string {
  const lines = events.map(({ at, batch, callId, name, kind, code, duration }) =>
    [
      `${((at - (events[0] as LoopEvent).at) / 1000).toFixed(3).padStart(9)} s`,
      batch,
      `${name} ${callId}`,
      kind,
      code,
      duration === undefined ? undefined : `after ${(duration / 1000).toFixed(3)} s`,
    ]
      .filter((part) => part !== undefined)
      .join('  '),
  )
  return lines.map((line) => `${line}\n`).join('')
}
