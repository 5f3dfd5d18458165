/** A batch of calls run through the guards one call at a time; executor and clock come from outside. */
import { type CallResult, failureOf, type ResultCode, resultOf } from './call-result'
import type { LoopLimits } from './limits'
import type { LoopClock } from './loop-clock'
import { refusedResult } from './refused-result'
import {
  type LoopState,
  type PendingCall,
  type PlannedCall,
  planBatch,
  recordExecution,
  refusalOf,
} from './tool-call-manager'

/** Runs one call; `isOver` says whether anyone still waits for it. */
export type ExecuteCall = (call: PendingCall, isOver: () => boolean) => Promise<unknown>

export interface Batch {
  readonly id: string
  readonly calls: readonly PendingCall[]
}

/** What happened to a call, in the order in which it happened. */
export interface LoopEvent {
  readonly at: number
  readonly batch: string
  readonly callId: string
  readonly name: string
  readonly kind: 'started' | 'finished' | 'failed' | 'refused' | 'dropped' | 'duplicate'
  readonly code: ResultCode | undefined
  /** In milliseconds, of calls that were run. */
  readonly duration: number | undefined
}

export interface BatchRun {
  readonly state: LoopState
  /** One for every call looked at, in the order of the batch. */
  readonly results: readonly CallResult[]
  readonly events: readonly LoopEvent[]
}

/** A batch on its way: the call looked at next is the one behind the results there are. */
export interface BatchProgress extends BatchRun {
  readonly batch: Batch
  readonly planned: readonly PlannedCall[]
  /** Those it was begun with; a change counts from the next batch on. */
  readonly limits: LoopLimits
}

/** A batch of which no call was looked at yet. */
export function startBatch(state: LoopState, batch: Batch, limits: LoopLimits): BatchProgress {
  const planned = planBatch(batch.calls, limits)
  return { state, batch, planned, limits, results: [], events: [] }
}

export function isBatchDone({ planned, results }: BatchProgress): boolean {
  return results.length >= planned.length
}

/** Looks at the next call, and runs it if the guards let it pass; it has a result afterwards. Never rejects. */
export async function stepBatch(
  progress: BatchProgress,
  execute: ExecuteCall,
  clock: LoopClock,
  onEvent: (event: LoopEvent, state: LoopState) => void = () => {},
): Promise<BatchProgress> {
  const { batch, planned, limits, results } = progress
  const next = planned[results.length]
  if (next === undefined) return progress
  const { call, plan, repeats } = next
  let { state } = progress
  const events = [...progress.events]
  const tell = (kind: LoopEvent['kind'], code?: ResultCode, duration?: number) => {
    const { id: callId, name } = call
    const event = { at: clock.now(), batch: batch.id, callId, name, kind, code, duration }
    events.push(event)
    onEvent(event, state)
  }
  const end = (result: CallResult): BatchProgress => ({
    ...progress,
    state,
    events,
    results: [...results, result],
  })
  if (plan === 'dropped') {
    tell('dropped', 'BATCH_LIMIT')
    return end(refusedResult(call, { guard: 'batch_limit', limit: limits.callsPerBatch }))
  }
  if (plan === 'duplicate') {
    tell('duplicate', 'DUPLICATE_IN_BATCH')
    const first = batch.calls[repeats as number] as PendingCall
    return end(refusedResult(call, { guard: 'duplicate', first: first.id }))
  }
  const startedAt = clock.now()
  const refusal = refusalOf(state, call, batch.id, startedAt, limits)
  if (refusal !== undefined) {
    tell('refused', refusal.code)
    const { code: guard, by } = refusal
    return end(refusedResult(call, { guard, by, now: startedAt }))
  }
  const { id: callId, signature } = call
  state = recordExecution(state, { callId, signature, batch: batch.id, at: startedAt }, limits)
  tell('started')
  const outcome = await executeWithin(call, execute, clock, limits.timeout)
  const duration = clock.now() - startedAt
  if (outcome.kind === 'value') {
    tell('finished', undefined, duration)
    return end(outcome.result)
  }
  tell('failed', outcome.code, duration)
  return end(failureOf(call, outcome.code, outcome.error))
}

type Outcome =
  | { readonly kind: 'value'; readonly result: CallResult }
  | { readonly kind: 'failure'; readonly code: ResultCode; readonly error: string }

function executeWithin(
  call: PendingCall,
  execute: ExecuteCall,
  clock: LoopClock,
  timeout: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let isOver = false
    const end = (outcome: Outcome) => {
      if (isOver) return
      isOver = true
      cancel()
      resolve(outcome)
    }
    const cancel = clock.after(timeout, () =>
      end({ kind: 'failure', code: 'TIMEOUT', error: `No answer within ${timeout / 1000} s.` }),
    )
    // A tool may throw before it gives a promise.
    new Promise<unknown>((settle) => settle(execute(call, () => isOver)))
      .then((value) => end({ kind: 'value', result: resultOf(call, value) }))
      // A value that cannot be written as JSON is a failure too.
      .catch((error: unknown) =>
        end({ kind: 'failure', code: 'TOOL_MANAGER_ERROR', error: sentenceOf(error) }),
      )
  })
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
