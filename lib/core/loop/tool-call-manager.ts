/**
 * The guards of a tool loop as a pure state machine. A batch is the calls of one assistant message, run one after
 * another. Guards check a call when it would start.
 */

/** Limits of a tool loop. */
export interface LoopLimits {
  /** Number of calls run per batch; the others are dropped. */
  readonly callsPerBatch: number
  /** In milliseconds. A call is refused for this long after a call with the same id. */
  readonly idWindow: number
  /** In milliseconds. A call is refused for this long after a call with the same signature and another id. */
  readonly signatureWindow: number
  /** In milliseconds. */
  readonly timeout: number
  /** Number of calls run in a session; the others are refused. */
  readonly callsPerSession: number
  /** Number of further attempts after a tool fails; all of them share the timeout. */
  readonly retries: number
  /** Number of executions remembered, also for `idWindow`; the oldest are dropped first. */
  readonly historyEntries: number
}

export const DEFAULT_LIMITS: LoopLimits = {
  callsPerBatch: 10,
  idWindow: 5 * 60_000,
  signatureWindow: 30_000,
  timeout: 15_000,
  callsPerSession: 100,
  retries: 3,
  historyEntries: 200,
}

/** The guards, in the order in which they check a call. */
export const GUARDS = ['batch_limit', 'duplicate', 'ANTI_LOOP_ID', 'ANTI_LOOP_SIGNATURE'] as const

export type Guard = (typeof GUARDS)[number]

/** True for each guard that is on. */
export type GuardSwitches = Readonly<Record<Guard, boolean>>

export const ALL_GUARDS: GuardSwitches = {
  batch_limit: true,
  duplicate: true,
  ANTI_LOOP_ID: true,
  ANTI_LOOP_SIGNATURE: true,
}

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
  return {
    history: all.slice(Math.max(0, all.length - limits.historyEntries)),
    started: started + 1,
  }
}
