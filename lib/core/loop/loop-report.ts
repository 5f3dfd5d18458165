/** What an inspection asks and what it finds; calls, turns and results by their index in the conversation. */
import type { Guard, GuardSwitches, LoopLimits } from './limits'

export interface InspectOptions {
  readonly limits: LoopLimits
  /** One that is off leaves what it would have stopped to the others. */
  readonly guards: GuardSwitches
  /** Without times: a signature is refused when it was run less than so many turns before. */
  readonly signatureTurns: number
  /** How often the same error must come from the same tool to be named. */
  readonly fewestErrors: number
}

/** By which clock the guards were asked. */
export type LoopClockSource = 'timestamps' | 'turn_order'

interface Again {
  readonly call: number
  readonly turn: number
  /** The latest call before it that it repeats. */
  readonly earlier: number
  readonly turnsApart: number
  /** In milliseconds; undefined without times. */
  readonly timeApart: number | undefined
  /** Tokens of its own results, which a guard would have spared. */
  readonly tokens: number
}

/** A call that does what an earlier one did: the same signature. */
export interface RepeatedCall extends Again {
  readonly isSameBatch: boolean
  /** Whether both gave the same text; undefined when one has no result. */
  readonly isSameResult: boolean | undefined
}

/** A call whose id an earlier one bears, whatever both do: a guard by ids takes one for the other. */
export interface RepeatedId extends Again {
  readonly isSameCall: boolean
}

/** A call beyond the limit of its batch. */
export interface CallBeyondLimit {
  readonly call: number
  readonly turn: number
  /** Its place in the batch, from 0. */
  readonly position: number
  readonly tokens: number
}

export interface StoppedCall {
  readonly call: number
  readonly turn: number
  readonly guard: Guard
  readonly results: readonly number[]
  /** Of its results. */
  readonly tokens: number
  /** Of the refusal that would stand in their place. */
  readonly refusalTokens: number
}

export interface PingPong {
  /** The calls that take turns, in their order. */
  readonly calls: readonly number[]
  /** Tokens of the results after the first round. */
  readonly tokens: number
}

export interface RepeatedError {
  readonly toolName: string | undefined
  /** At least `fewestErrors`. */
  readonly results: readonly number[]
  /** Tokens of all but the first. */
  readonly tokens: number
}

export interface LoopReport {
  readonly clock: LoopClockSource
  /** Turns the transcript has a time of; the clock is theirs when it has one of every turn. */
  readonly timedTurns: number
  /** Calls looked at: those with an id, in a turn. */
  readonly calls: number
  readonly repeats: readonly RepeatedCall[]
  readonly repeatedIds: readonly RepeatedId[]
  readonly beyondLimit: readonly CallBeyondLimit[]
  /** What the guards would not have run, each call once, by the first guard that stops it. */
  readonly stopped: readonly StoppedCall[]
  readonly pingPongs: readonly PingPong[]
  readonly repeatedErrors: readonly RepeatedError[]
}
