/**
 * The guards of a tool loop as a pure state machine. A batch is the calls of one assistant message, run one after
 * another. Guards check a call when it would start.
 */
import { ALL_GUARDS, type Guard, type GuardSwitches, type LoopLimits } from './guards'

export interface PendingCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly signature: string
}

/** A started call. */
export interface Execution {
  readonly callId: string
  readonly signature: string
  readonly batch: string
  /** In milliseconds, on the loop's clock. */
  readonly at: number
}

export interface LoopState {
  /** Newest last, at most `historyEntries`. */
  readonly history: readonly Execution[]
  /** Number of calls started in the session. */
  readonly started: number
}

export const EMPTY_LOOP: LoopState = { history: [], started: 0 }

/** Reason why a call is refused. */
export type Refusal = Extract<Guard, 'ANTI_LOOP_ID' | 'ANTI_LOOP_SIGNATURE'>

/** The guard that stopped a call, and the limit or earlier call it compared with. */
export type GuardStop =
  | { readonly guard: Extract<Guard, 'batch_limit'>; readonly limit: number }
  /** Id of the call in the same batch that it duplicates. */
  | { readonly guard: Extract<Guard, 'duplicate'>; readonly first: string }
  | {
      readonly guard: Refusal
      readonly by: Execution
      readonly now: number
      /** In milliseconds. */
      readonly window: number
    }

export interface PlannedCall {
  readonly call: PendingCall
  /** Set by the guards that need no clock. */
  readonly stop: GuardStop | undefined
}

/** Drops the calls over the limit, then skips duplicates. A guard that is off leaves its calls to the others. */
export function planBatch(
  calls: readonly PendingCall[],
  limits: LoopLimits,
  guards: GuardSwitches = ALL_GUARDS,
): PlannedCall[] {
  const limit = limits.callsPerBatch
  const firstOf = new Map<string, string>()
  return calls.map((call, index) => {
    if (guards.batch_limit && index >= limit) return { call, stop: { guard: 'batch_limit', limit } }
    const first = guards.duplicate ? firstOf.get(call.signature) : undefined
    if (first !== undefined) return { call, stop: { guard: 'duplicate', first } }
    firstOf.set(call.signature, call.id)
    return { call, stop: undefined }
  })
}

/**
 * Returns why a call may not start now; undefined if it may. An id is refused for `idWindow` after it started, a
 * signature for `signatureWindow`, except in the same batch.
 */
export function stopOf(
  { call, stop }: PlannedCall,
  { history }: LoopState,
  batch: string,
  now: number,
  limits: LoopLimits,
  guards: GuardSwitches = ALL_GUARDS,
): GuardStop | undefined {
  if (stop !== undefined) return stop
  const sameId = guards.ANTI_LOOP_ID
    ? history.findLast(({ callId, at }) => callId === call.id && now - at < limits.idWindow)
    : undefined
  if (sameId !== undefined)
    return { guard: 'ANTI_LOOP_ID', by: sameId, now, window: limits.idWindow }
  if (!guards.ANTI_LOOP_SIGNATURE) return undefined
  const same = history.findLast(
    (execution) =>
      execution.signature === call.signature &&
      execution.batch !== batch &&
      now - execution.at < limits.signatureWindow,
  )
  return same && { guard: 'ANTI_LOOP_SIGNATURE', by: same, now, window: limits.signatureWindow }
}

/** Adds a started call to the history. */
export function recordExecution(
  { history, started }: LoopState,
  execution: Execution,
  limits: LoopLimits,
): LoopState {
  const all = [...history, execution]
  const dropped = Math.max(0, all.length - limits.historyEntries)
  return { history: all.slice(dropped), started: started + 1 }
}
