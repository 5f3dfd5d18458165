/** The guards of a tool loop, and their limits. */

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
