import type { ResultCode } from '@/lib/core/loop/call-result'
import { type BatchProgress, isFinalEvent, type LoopEvent } from '@/lib/core/loop/run-batch'
import type { Execution, LoopLimits } from '@/lib/core/loop/tool-call-manager'
import { memoize } from '../select'
import type { SimulatorState } from './simulator'

/** The outcome of a call, in the order the simulator processed them. */
export interface DecisionRow {
  /** From 1. */
  readonly batch: number
  /** Position in the batch, from 1. */
  readonly place: number
  readonly callId: string
  readonly name: string
  /** `started` means it is running. */
  readonly kind: Exclude<LoopEvent['kind'], 'retried'>
  readonly code: ResultCode | undefined
  /** Milliseconds since the run began. */
  readonly at: number
  readonly duration: number | undefined
  /** The result as the next request contains it; undefined while the call is running. */
  readonly content: string | undefined
}

/** All processed calls; a running one is last. */
export const decisionRows = memoize(
  (batches: readonly BatchProgress[], events: readonly LoopEvent[]): readonly DecisionRow[] =>
    batches.flatMap(({ batch, results }, index) => {
      const batchEvents = events.filter((event) => event.batch === batch.id)
      const ends = batchEvents.filter(isFinalEvent)
      const row = (event: LoopEvent, place: number, content: string | undefined): DecisionRow => ({
        batch: index + 1,
        place,
        callId: event.callId,
        name: event.name,
        kind: event.kind === 'retried' ? 'started' : event.kind,
        code: event.code,
        at: event.at - (event.duration ?? 0),
        duration: event.duration,
        content,
      })
      const done = results.flatMap(({ content }, at) => {
        const event = ends[at]
        return event === undefined ? [] : [row(event, at + 1, content)]
      })
      const last = batchEvents.at(-1)
      const isRunning = last !== undefined && !isFinalEvent(last) && ends.length === results.length
      return isRunning ? [...done, row(last, results.length + 1, undefined)] : done
    }),
)

/** A past execution, and the milliseconds for which each guard still counts it; zero once it does not. */
export interface HistoryRow extends Execution {
  readonly age: number
  readonly idLeft: number
  readonly signatureLeft: number
}

/** Newest first. */
export function historyRows(
  { history, now }: Pick<SimulatorState, 'history' | 'now'>,
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
