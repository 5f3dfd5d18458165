/**
 * The guards of a tool loop as a state machine: pure, time comes in from outside. A batch is the calls of one
 * assistant message, run one after the other; each guard is asked at the moment a call would start.
 */
import { ALL_GUARDS, type Guard, type GuardSwitches, type LoopLimits } from './limits'

export interface PendingCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** As `signature` has it. */
  readonly signature: string
}

/** A call that was started. */
export interface Execution {
  readonly callId: string
  readonly signature: string
  readonly batch: string
  /** In milliseconds, on the clock of whoever runs the loop. */
  readonly at: number
}

export interface LoopState {
  /** The newest last, at most `historyEntries`. */
  readonly history: readonly Execution[]
}

export const EMPTY_LOOP: LoopState = { history: [] }

/** Why a call of a batch is not run. */
export type Refusal = Extract<Guard, 'ANTI_LOOP_ID' | 'ANTI_LOOP_SIGNATURE'>

/** What becomes of a call before any guard with a clock is asked. */
export interface PlannedCall {
  readonly call: PendingCall
  readonly plan: 'run' | 'dropped' | 'duplicate'
  /** Index in the batch of the call it repeats; for duplicates only. */
  readonly repeats: number | undefined
}

/**
 * Drops the calls beyond the limit, then skips those that repeat an earlier one of the batch. A guard that is off
 * stops nothing, and leaves what it would have stopped to the others.
 */
export function planBatch(
  calls: readonly PendingCall[],
  limits: LoopLimits,
  guards: GuardSwitches = ALL_GUARDS,
): PlannedCall[] {
  const firstOf = new Map<string, number>()
  return calls.map((call, index) => {
    if (guards.batch_limit && index >= limits.callsPerBatch)
      return { call, plan: 'dropped', repeats: undefined }
    const repeats = guards.duplicate ? firstOf.get(call.signature) : undefined
    if (repeats !== undefined) return { call, plan: 'duplicate', repeats }
    firstOf.set(call.signature, index)
    return { call, plan: 'run', repeats: undefined }
  })
}

/**
 * Asks whether a call may start now. An id counts as run for less than `idWindow` after it started, a signature for
 * less than `signatureWindow`, unless it was run in the same batch. Undefined: it may.
 */
export function refusalOf(
  { history }: LoopState,
  call: Pick<PendingCall, 'id' | 'signature'>,
  batch: string,
  now: number,
  limits: LoopLimits,
  guards: GuardSwitches = ALL_GUARDS,
): { readonly code: Refusal; readonly by: Execution } | undefined {
  const sameId = guards.ANTI_LOOP_ID
    ? history.findLast(({ callId, at }) => callId === call.id && now - at < limits.idWindow)
    : undefined
  if (sameId !== undefined) return { code: 'ANTI_LOOP_ID', by: sameId }
  if (!guards.ANTI_LOOP_SIGNATURE) return undefined
  const same = history.findLast(
    (execution) =>
      execution.signature === call.signature &&
      execution.batch !== batch &&
      now - execution.at < limits.signatureWindow,
  )
  return same && { code: 'ANTI_LOOP_SIGNATURE', by: same }
}

/** Remembers that a call started. */
export function recordExecution(
  { history }: LoopState,
  execution: Execution,
  limits: LoopLimits,
): LoopState {
  const all = [...history, execution]
  return { history: all.slice(Math.max(0, all.length - limits.historyEntries)) }
}
