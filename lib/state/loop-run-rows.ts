import type { ResultCode } from '@/lib/core/loop/call-result'
import type { LoopLimits } from '@/lib/core/loop/limits'
import type { BatchProgress, LoopEvent } from '@/lib/core/loop/step-batch'
import type { Execution } from '@/lib/core/loop/tool-call-manager'
import type { RunState } from './loop-run'
import { remembered } from './remembered'

/** What became of a call, in the order in which calls were looked at. */
export interface DecisionRow {
  /** From 1. */
  readonly batch: number
  /** Its place in the batch, from 1. */
  readonly place: number
  readonly callId: string
  readonly name: string
  /** `started`: it is being run. */
  readonly kind: LoopEvent['kind']
  readonly code: ResultCode | undefined
  /** When it was looked at, in milliseconds since the run began. */
  readonly at: number
  readonly duration: number | undefined
  /** The result as the next request would have it; undefined while it is being run. */
  readonly content: string | undefined
}

/** Every call looked at so far; the one being run is the last. */
export const decisionRows = remembered(
  (batches: readonly BatchProgress[], events: readonly LoopEvent[]): readonly DecisionRow[] =>
    batches.flatMap(({ batch, results }, index) => {
      const own = events.filter((event) => event.batch === batch.id)
      const ends = own.filter(({ kind }) => kind !== 'started')
      const row = (event: LoopEvent, place: number, content: string | undefined): DecisionRow => ({
        batch: index + 1,
        place,
        callId: event.callId,
        name: event.name,
        kind: event.kind,
        code: event.code,
        at: event.at - (event.duration ?? 0),
        duration: event.duration,
        content,
      })
      const done = results.flatMap(({ content }, at) => {
        const event = ends[at]
        return event === undefined ? [] : [row(event, at + 1, content)]
      })
      const last = own.at(-1)
      const isRunning = last?.kind === 'started' && ends.length === results.length
      return isRunning ? [...done, row(last, results.length + 1, undefined)] : done
    }),
)

/** An execution that is remembered, and how long each guard still holds it against a call; zero when it does no more. */
export interface HistoryRow extends Execution {
  readonly age: number
  readonly idLeft: number
  readonly signatureLeft: number
}

/** The newest first. */
export function historyRows(
  { history, now }: Pick<RunState, 'history' | 'now'>,
  { idWindow, signatureWindow }: LoopLimits,
): HistoryRow[] {
  return history.history.toReversed().map((execution) => {
    const age = now - execution.at
    return {
      ...execution,
      age,
      idLeft: Math.max(0, idWindow - age),
      signatureLeft: Math.max(0, signatureWindow - age),
    }
  })
}
