/** The guards of a tool loop, and their limits. */

/** Limits of a tool loop. */
export const DEFAULT_LIMITS = {
  /** Number of calls run per batch; the others are dropped. */
  callsPerBatch: 10,
  /** In milliseconds. A call is refused for this long after a call with the same id. */
  idWindow: 5 * 60_000,
  /** In milliseconds. A call is refused for this long after a call with the same signature and another id. */
  signatureWindow: 30_000,
  /** In milliseconds. */
  timeout: 15_000,
  /** Number of calls run in a session; the others are refused. */
  callsPerSession: 100,
  /** Number of further attempts after a tool fails; all of them share the timeout. */
  retries: 3,
  /** Number of executions remembered, also for `idWindow`; the oldest are dropped first. */
  historyEntries: 200,
}

export type LoopLimits = Readonly<typeof DEFAULT_LIMITS>

/** The guards, in the order in which they check a call. */
export const GUARDS = ['batch_limit', 'duplicate', 'ANTI_LOOP_ID', 'ANTI_LOOP_SIGNATURE'] as const

export type Guard = (typeof GUARDS)[number]

/** True for each guard that is on. */
export type GuardSwitches = Readonly<Record<Guard, boolean>>

export const ALL_GUARDS = Object.fromEntries(GUARDS.map((guard) => [guard, true])) as GuardSwitches
