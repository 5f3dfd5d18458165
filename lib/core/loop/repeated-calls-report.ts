/** Options and result of the search for repeated calls. Calls, turns and results are indices in the conversation. */
import type { Guard, GuardSwitches, LoopLimits } from './tool-call-manager'

export interface RepeatedCallsOptions {
  readonly limits: LoopLimits
  /** A guard that is off leaves its calls to the other guards. */
  readonly guards: GuardSwitches
  /** Without times: a signature is refused if it was run fewer than this many turns before. */
  readonly signatureTurns: number
  /** Number of identical errors of one tool from which they are reported. */
  readonly fewestErrors: number
}

/** Clock used for the guards. */
export type LoopClockSource = 'timestamps' | 'turn_order'

interface Repeat {
  readonly call: number
  readonly turn: number
  /** The latest earlier call that it repeats. */
  readonly earlier: number
  readonly turnsApart: number
  /** In milliseconds; undefined without times. */
  readonly timeApart: number | undefined
  /** Tokens of its results, which a guard would have saved. */
  readonly tokens: number
}

/** A call with the same signature as an earlier one. */
export interface RepeatedCall extends Repeat {
  readonly isSameBatch: boolean
  /** True if both have the same result text; undefined if one has no result. */
  readonly isSameResult: boolean | undefined
}

/** A call with the id of an earlier one. Both may differ, but a guard by id treats them as the same. */
export interface RepeatedId extends Repeat {
  readonly isSameCall: boolean
}

/** A call over the limit of its batch. */
export interface CallOverLimit {
  readonly call: number
  readonly turn: number
  /** Index in the batch, from 0. */
  readonly position: number
  readonly tokens: number
}

export interface StoppedCall {
  readonly call: number
  readonly turn: number
  readonly guard: Guard
  readonly results: readonly number[]
  /** Tokens of its results. */
  readonly tokens: number
  /** Tokens of the refusal sent instead. */
  readonly refusalTokens: number
}

export interface PingPong {
  /** The calls that alternate, in order. */
  readonly calls: readonly number[]
  /** Tokens of the results after the first round. */
  readonly tokens: number
}

export interface RepeatedError {
  readonly toolName: string | undefined
  /** Number of entries: at least `fewestErrors`. */
  readonly results: readonly number[]
  /** Tokens of all but the first. */
  readonly tokens: number
}

export interface RepeatedCallsReport {
  readonly clock: LoopClockSource
  /** Number of turns with a time. The guards use the transcript's times only if every turn has one. */
  readonly timedTurns: number
  /** Number of calls checked: those that have an id and belong to a turn. */
  readonly calls: number
  readonly repeats: readonly RepeatedCall[]
  readonly repeatedIds: readonly RepeatedId[]
  readonly overLimit: readonly CallOverLimit[]
  /** Calls the guards would have stopped, each listed once with the first guard that stops it. */
  readonly stopped: readonly StoppedCall[]
  readonly pingPongs: readonly PingPong[]
  readonly repeatedErrors: readonly RepeatedError[]
}
