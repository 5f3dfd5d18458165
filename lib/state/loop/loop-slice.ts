/** State of the Tool calls drawer: its settings and the worker's report on the shown conversation. */
import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import type { KeyedAnswer } from '../job-scheduler'
import { DEFAULT_LOOP_SETTINGS, type LoopSettings } from './loop-settings'

export interface LoopSlice {
  readonly loop: {
    readonly settings: LoopSettings
    readonly report: KeyedAnswer<RepeatedCallsReport> | undefined
  }
}

export const INITIAL_LOOP: LoopSlice = {
  loop: { settings: DEFAULT_LOOP_SETTINGS, report: undefined },
}
