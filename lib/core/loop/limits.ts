/** Bounds of a tool loop; the defaults are those of the loop this part describes. */
export interface LoopLimits {
  /** Calls of one batch that are run; the rest are dropped. */
  readonly callsPerBatch: number
  /** In milliseconds: an id is not run again before so much time has passed. */
  readonly idWindow: number
  /** In milliseconds: the same call under another id is not run again before so much time has passed. */
  readonly signatureWindow: number
  /** In milliseconds, for one call. */
  readonly timeout: number
  /** Executions remembered; the oldest are forgotten. */
  readonly historyEntries: number
}

export const DEFAULT_LIMITS: LoopLimits = {
  callsPerBatch: 10,
  idWindow: 5 * 60_000,
  signatureWindow: 30_000,
  timeout: 15_000,
  historyEntries: 200,
}

/** What stops a call, in the order in which they are asked. */
export const GUARDS = ['batch_limit', 'duplicate', 'ANTI_LOOP_ID', 'ANTI_LOOP_SIGNATURE'] as const

export type Guard = (typeof GUARDS)[number]

/** Which guards are asked. */
export type GuardSwitches = Readonly<Record<Guard, boolean>>

export const ALL_GUARDS: GuardSwitches = {
  batch_limit: true,
  duplicate: true,
  ANTI_LOOP_ID: true,
  ANTI_LOOP_SIGNATURE: true,
}
