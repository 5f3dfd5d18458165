import type { StrategyName } from './strategies'

/** The circuit breaker: what is not done by then is given back as it came, and marked. */
export interface RepairBounds {
  /** Ways that may be tried: both readings, jsonrepair and the reconstruction are one each, so a call takes 1 to 4. */
  readonly attempts: number
  readonly milliseconds: number
}

export interface RepairLimits extends RepairBounds {
  /** The core has no clock; without one no time passes. */
  readonly now?: () => number
  /** Only these strategies; all when left out. */
  readonly strategies?: ReadonlySet<StrategyName>
}

/** For one document, all its calls together. */
export const REPAIR_LIMITS: RepairBounds = { attempts: 1000, milliseconds: 5000 }
