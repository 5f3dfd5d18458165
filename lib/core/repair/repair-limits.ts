import type { StrategyName } from './repair-strategies'

/** Limits of a repair, and what to do with text that is no JSON. Calls left at a limit stay unrepaired, with the reason. */
export interface RepairSettings {
  /** False lifts both limits. */
  readonly enabled: boolean
  /** Number of methods tried. One call needs up to 4: two parses, jsonrepair, reconstruction. */
  readonly attempts: number
  readonly milliseconds: number
  /** Writes arguments that are no object, such as a program, as `{"input": text}`. */
  readonly wrapInput: boolean
}

export interface RepairOptions extends RepairSettings {
  /** Clock, as the core has none. Without it no time passes. */
  readonly now?: () => number
  /** Allowed strategies; undefined allows all. */
  readonly strategies?: ReadonlySet<StrategyName>
}

/** Defaults for all calls in a document together. */
export const REPAIR_LIMITS: RepairSettings = {
  enabled: true,
  attempts: 1000,
  milliseconds: 5000,
  wrapInput: false,
}
