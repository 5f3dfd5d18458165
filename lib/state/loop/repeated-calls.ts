/** Repeated calls in the conversation shown: asks the worker once it is counted, and again whenever a limit changes. */

import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import { ALL_GUARDS, type Guard } from '@/lib/core/loop/tool-call-manager'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import type { RunJob } from '@/lib/worker/jobs'
import { familyOf } from '../costs/chosen-model'
import { countsOf } from '../document/selectors'
import { createJobScheduler, scheduledJob } from '../job-scheduler'
import { memoize } from '../memoize'
import type { PlaygroundState, PlaygroundStore } from '../store'
import {
  DEFAULT_LOOP_SETTINGS,
  type LoopField,
  type LoopSettings,
  withLoopField,
} from './loop-settings'

const job = memoize(
  (document: number, conversation: number, options: LoopSettings, encoding: EncodingId) => ({
    key: JSON.stringify([document, conversation, options, encoding]),
    input: { document, conversation, options },
  }),
)

/** The job for the worker; undefined until the document is counted. */
function jobOf(state: PlaygroundState) {
  const { read, conversation, loop } = state
  if (read?.model.conversations[conversation] === undefined) return undefined
  if (countsOf(state) === undefined) return undefined
  return job(read.source.id, conversation, loop.settings, familyOf(state).encoding)
}

/** The report on the shown conversation; undefined until the worker answers. */
export function loopReportOf(state: PlaygroundState): RepeatedCallsReport | undefined {
  const { report } = state.loop
  return report !== undefined && report.key === jobOf(state)?.key ? report.answer : undefined
}

/** Asks the worker whenever the store lacks the report on the conversation shown. */
export function watchLoops(
  { getState: get, setState: set, subscribe }: PlaygroundStore,
  run: RunJob,
): void {
  const schedule = createJobScheduler({
    retryOn: () => get().counted,
    needed: () => {
      const state = get()
      const job = jobOf(state)
      if (job === undefined || job.key === state.loop.report?.key) return []
      const { key, input } = job
      const store = (answer: RepeatedCallsReport) =>
        set(({ loop }) => ({ loop: { ...loop, report: { key, answer } } }))
      return [scheduledJob(run, key, 'findRepeatedCalls', input, store)]
    },
  })
  subscribe(schedule)
}

export function createLoopActions({ setState: set }: PlaygroundStore) {
  const change = (next: (settings: LoopSettings) => LoopSettings) =>
    set(({ loop }) => ({ loop: { ...loop, settings: next(loop.settings) } }))
  return {
    setGuard: (guard: Guard, isOn: boolean) =>
      change((settings) => ({ ...settings, guards: { ...settings.guards, [guard]: isOn } })),
    /** Sets a limit, in its field's unit; it is limited to the field's bounds. */
    setLoopField: (field: LoopField, value: number) =>
      change((settings) => withLoopField(settings, field, value)),
    resetLoop: () => change(() => ({ ...DEFAULT_LOOP_SETTINGS, guards: ALL_GUARDS })),
  }
}
