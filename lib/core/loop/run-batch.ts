/** Runs a batch of calls through the guards, one after the other; executor and clock come from outside. */
import { type CallResult, failureOf, type ResultCode, resultOf } from './call-result'
import type { LoopLimits } from './limits'
import {
  type LoopState,
  type PendingCall,
  planBatch,
  recordExecution,
  refusalOf,
} from './tool-call-manager'

export interface LoopClock {
  /** In milliseconds. */
  readonly now: () => number
  /** Calls back after so many milliseconds unless it is cancelled by the function it gives. */
  readonly after: (milliseconds: number, done: () => void) => () => void
}

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
  /** One for every call of the batch, in its order. */
  readonly results: readonly CallResult[]
  readonly events: readonly LoopEvent[]
}

/** Runs the calls of a batch that the guards let pass; every call has a result afterwards. Never rejects. */
export async function runBatch(
  start: LoopState,
  batch: Batch,
  execute: ExecuteCall,
  clock: LoopClock,
  limits: LoopLimits,
  onEvent: (event: LoopEvent) => void = () => {},
): Promise<BatchRun> {
  let state = start
  const events: LoopEvent[] = []
  const results: CallResult[] = []
  const tell = (
    { id, name }: PendingCall,
    kind: LoopEvent['kind'],
    code?: ResultCode,
    duration?: number,
  ) => {
    const event = { at: clock.now(), batch: batch.id, callId: id, name, kind, code, duration }
    events.push(event)
    onEvent(event)
  }
  for (const { call, plan, repeats } of planBatch(batch.calls, limits)) {
    if (plan === 'dropped') {
      tell(call, 'dropped', 'BATCH_LIMIT')
      results.push(
        failureOf(call, 'BATCH_LIMIT', `More than ${limits.callsPerBatch} calls in one batch.`),
      )
      continue
    }
    if (plan === 'duplicate') {
      tell(call, 'duplicate', 'DUPLICATE_IN_BATCH')
      const first = batch.calls[repeats as number] as PendingCall
      results.push(
        failureOf(call, 'DUPLICATE_IN_BATCH', `The same call as ${first.id} in this batch.`),
      )
      continue
    }
    const startedAt = clock.now()
    const refusal = refusalOf(state, call, batch.id, startedAt, limits)
    if (refusal !== undefined) {
      tell(call, 'refused', refusal.code)
      const seconds = (startedAt - refusal.by.at) / 1000
      results.push(
        failureOf(
          call,
          refusal.code,
          `Run ${seconds} s ago as ${refusal.by.callId}; not run again.`,
        ),
      )
      continue
    }
    const { id: callId, signature } = call
    state = recordExecution(state, { callId, signature, batch: batch.id, at: startedAt }, limits)
    tell(call, 'started')
    const outcome = await executeWithin(call, execute, clock, limits.timeout)
    const duration = clock.now() - startedAt
    const code = outcome.kind === 'failure' ? outcome.code : undefined
    tell(call, code === undefined ? 'finished' : 'failed', code, duration)
    results.push(
      outcome.kind === 'value' ? outcome.result : failureOf(call, outcome.code, outcome.error),
    )
  }
  return { state, results, events }
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
