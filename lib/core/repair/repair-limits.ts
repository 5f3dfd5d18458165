import type { StrategyName } from './repair-strategies'

/** Limits of a repair. Calls left when one is reached are returned unrepaired, with the reason. */
export interface RepairLimits {
  /** Number of methods tried. One call needs up to 4: two parses, jsonrepair, reconstruction. */
  readonly attempts: number
  readonly milliseconds: number
}

export interface RepairOptions extends RepairLimits {
  /** Clock, as the core has none. Without it no time passes. */
  readonly now?: () => number
  /** Allowed strategies; undefined allows all. */
  readonly strategies?: ReadonlySet<StrategyName>
}

/** Default limits for all calls in a document together. */
export const REPAIR_LIMITS: RepairLimits = { attempts: 1000, milliseconds: 5000 }
