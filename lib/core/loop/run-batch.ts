/** Runs a batch of calls through the guards, one call at a time. The executor and the clock are parameters. */
import { messageOf } from '../problem'
import { checkArguments } from '../repair/check-arguments'
import { repairArguments } from '../repair/repair-arguments'
import { type CallResult, failureOf, type ResultCode, refusedResult, resultOf } from './call-result'
import type { GuardSwitches, LoopLimits } from './guards'
import { LOOP_TEXTS, type LoopTexts } from './loop-texts'
import type { GuardStop, LoopState, PendingCall, PlannedCall } from './tool-call-manager'
import { EMPTY_LOOP, planBatch, recordExecution, stopOf } from './tool-call-manager'

/** Clock of a tool loop, a parameter so that tests and the page can control it. */
export interface LoopClock {
  /** In milliseconds. */
  readonly now: () => number
  /** Calls `done` after this many milliseconds. The function returned cancels it. */
  readonly after: (milliseconds: number, done: () => void) => () => void
}

/** Runs one call. `isOver` is true once nobody waits for it any more. */
export type ExecuteCall = (call: PendingCall, isOver: () => boolean) => Promise<unknown>

export interface Batch {
  readonly id: string
  readonly calls: readonly PendingCall[]
}

/** An event of a call. */
export interface LoopEvent {
  readonly at: number
  readonly batch: string
  readonly callId: string
  readonly name: string
  /** `retried`: an attempt failed and the tool runs again. */
  readonly kind: 'started' | 'retried' | 'finished' | 'failed' | 'refused' | 'dropped' | 'duplicate'
  readonly code: ResultCode | undefined
  /** In milliseconds; undefined for calls that were not run. */
  readonly duration: number | undefined
}

/** True for the event that ends a call. */
export function isFinalEvent(
  event: LoopEvent,
): event is LoopEvent & { readonly kind: Exclude<LoopEvent['kind'], 'started' | 'retried'> } {
  return event.kind !== 'started' && event.kind !== 'retried'
}

export interface BatchRun {
  readonly state: LoopState
  /** One for each call processed, in batch order. */
  readonly results: readonly CallResult[]
  readonly events: readonly LoopEvent[]
}

/** A batch in progress. Its next call is at index `results.length`. */
export interface BatchProgress extends BatchRun {
  readonly batch: Batch
  readonly planned: readonly PlannedCall[]
  /** Limits at the start of the batch; a change applies from the next batch. */
  readonly limits: LoopLimits
  readonly texts: LoopTexts
}

/** The event of a call that a guard stopped, and its code. */
const STOPS: Readonly<Record<GuardStop['guard'], readonly [LoopEvent['kind'], ResultCode]>> = {
  batch_limit: ['dropped', 'BATCH_LIMIT'],
  duplicate: ['duplicate', 'DUPLICATE_IN_BATCH'],
  ANTI_LOOP_ID: ['refused', 'ANTI_LOOP_ID'],
  ANTI_LOOP_SIGNATURE: ['refused', 'ANTI_LOOP_SIGNATURE'],
}

/** Starts a batch, with no call processed. */
export function startBatch(
  state: LoopState,
  batch: Batch,
  limits: LoopLimits,
  texts: LoopTexts = LOOP_TEXTS.en,
): BatchProgress {
  const planned = planBatch(batch.calls, limits)
  return { state, batch, planned, limits, texts, results: [], events: [] }
}

export function isBatchDone({ planned, results }: BatchProgress): boolean {
  return results.length >= planned.length
}

/** Processes the next call, and runs it unless a guard stops it. It has a result afterwards. Never rejects. */
export async function stepBatch(
  progress: BatchProgress,
  execute: ExecuteCall,
  clock: LoopClock,
  onEvent: (event: LoopEvent, state: LoopState) => void = () => {},
  check: CheckCall = () => undefined,
): Promise<BatchProgress> {
  const { batch, planned, limits, texts, results } = progress
  const next = planned[results.length]
  if (next === undefined) return progress
  const { call } = next
  let { state } = progress
  const events = [...progress.events]
  const report = (kind: LoopEvent['kind'], code?: ResultCode, duration?: number) => {
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
  const startedAt = clock.now()
  const stop = stopOf(next, state, batch.id, startedAt, limits)
  if (stop !== undefined) {
    report(...STOPS[stop.guard])
    return end(refusedResult(call, stop, texts))
  }
  const refuse = (code: ResultCode, error: string) => {
    report('refused', code)
    return end(failureOf(call, code, error))
  }
  if (state.started >= limits.callsPerSession) {
    return refuse('SESSION_LIMIT', texts.sessionLimit(limits.callsPerSession))
  }
  const refused = await check(call, texts)
  if (refused !== undefined) return refuse(...refused)
  const { id: callId, signature } = call
  state = recordExecution(state, { callId, signature, batch: batch.id, at: startedAt }, limits)
  report('started')
  const { result, code } = await executeWithin(call, execute, clock, progress, () =>
    report('retried', 'TOOL_MANAGER_ERROR'),
  )
  report(code === undefined ? 'finished' : 'failed', code, clock.now() - startedAt)
  return end(result)
}

/**
 * Runs a batch to its end, except for the calls that guards stop; every call has a result afterwards. Never rejects.
 */
export async function runBatch(
  start: LoopState,
  batch: Batch,
  execute: ExecuteCall,
  clock: LoopClock,
  limits: LoopLimits,
  onEvent: (event: LoopEvent) => void = () => {},
  check?: CheckCall,
  texts?: LoopTexts,
): Promise<BatchRun> {
  let progress = startBatch(start, batch, limits, texts)
  while (!isBatchDone(progress)) {
    progress = await stepBatch(progress, execute, clock, onEvent, check)
  }
  const { state, results, events } = progress
  return { state, results, events }
}

function executeWithin(
  call: PendingCall,
  execute: ExecuteCall,
  clock: LoopClock,
  { limits: { timeout, retries }, texts }: Pick<BatchProgress, 'limits' | 'texts'>,
  onRetry: () => void,
): Promise<{ readonly result: CallResult; readonly code?: ResultCode }> {
  return new Promise((resolve) => {
    let isOver = false
    const end = (result: CallResult, code?: ResultCode) => {
      if (isOver) return
      isOver = true
      cancel()
      resolve({ result, ...(code && { code }) })
    }
    const endWith = (code: ResultCode, error: string) => end(failureOf(call, code, error), code)
    const cancel = clock.after(timeout, () => endWith('TIMEOUT', texts.timeout(timeout / 1000)))
    const fail = (error: unknown) => endWith('TOOL_MANAGER_ERROR', texts.failed(messageOf(error)))
    const attempt = (left: number) => {
      // A tool may throw before it returns a promise.
      new Promise<unknown>((settle) => settle(execute(call, () => isOver)))
        .then(
          (value) => end(resultOf(call, value)),
          (error: unknown) => {
            if (isOver) return
            if (left === 0) return fail(error)
            onRetry()
            attempt(left - 1)
          },
        )
        // A value that cannot be serialised counts as a failure.
        .catch(fail)
    }
    attempt(retries)
  })
}

/** Why a call may not run: its code, and a sentence for the model. */
type Refused = readonly [ResultCode, string] | undefined

/** Returns why a call may not run; undefined if it may, or nothing is known. It does not reject. */
export type CheckCall = (call: PendingCall, texts: LoopTexts) => Refused | Promise<Refused>

/** Checks calls against the schemas of their tools, by tool name. Malformed arguments are repaired first, without a loss. */
export function createCallCheck(
  schemas: ReadonlyMap<string, object>,
): (...call: Parameters<CheckCall>) => Refused {
  return ({ name, arguments: text }, texts) => {
    const schema = schemas.get(name)
    if (schema === undefined) return undefined
    const { isObject, value, fixes } = repairArguments(text)
    if (!isObject || fixes.some(({ risk }) => risk === 'loss'))
      return ['INVALID_ARGUMENTS', texts.notAnObject]
    const check = checkArguments(value, schema)
    if (check.state !== 'differs') return undefined
    const reasons = check.differences.map(({ at, said }) => `${at}: ${said}`)
    return ['INVALID_ARGUMENTS', texts.invalidArguments(reasons.join(' '))]
  }
}

/** Returns the calls the guards would have stopped, and what would have been sent. They do not enter the history. */
export function replayGuards(
  calls: readonly TurnCall[],
  timeOf: (turn: number) => number,
  { limits, guards }: { readonly limits: LoopLimits; readonly guards: GuardSwitches },
) {
  let state: LoopState = EMPTY_LOOP
  return batchesOf(calls).flatMap((batch) => {
    const { turn } = batch[0] as TurnCall
    const [id, now] = [String(turn), timeOf(turn)]
    // Executions too old for any guard are dropped, so that a long history stays fast.
    const oldest = now - Math.max(limits.idWindow, limits.signatureWindow)
    const first = state.history.findIndex(({ at }) => at > oldest)
    state = { ...state, history: first === -1 ? [] : state.history.slice(first) }
    const pending = batch.map((one) => one.pending)
    return planBatch(pending, limits, guards).flatMap((planned, index) => {
      const { call } = planned
      const stop = stopOf(planned, state, id, now, limits, guards)
      if (stop !== undefined) {
        const refusal = refusedResult(call, stop).content
        return [{ call: (batch[index] as TurnCall).at, turn, guard: stop.guard, refusal }]
      }
      const execution = { callId: call.id, signature: call.signature, batch: id, at: now }
      state = recordExecution(state, execution, limits)
      return []
    })
  })
}

/** A call of a transcript as input for the guards. */
export interface TurnCall {
  /** Index in the conversation. */
  readonly at: number
  readonly turn: number
  readonly pending: PendingCall
}

/** Groups calls by turn. Turns without calls are skipped. */
export function batchesOf(calls: readonly TurnCall[]): (readonly TurnCall[])[] {
  const batches: TurnCall[][] = []
  for (const call of calls) {
    const last = batches.at(-1)
    if (last?.[0]?.turn === call.turn) last.push(call)
    else batches.push([call])
  }
  return batches
}
