import type { StrategyName } from './strategies'

export interface RepairLimits {
  /** Ways that may be tried: both readings, jsonrepair and the reconstruction are one each. */
  readonly attempts: number
  readonly milliseconds: number
  /** The core has no clock; without one no time passes. */
  readonly now?: () => number
  /** Only these strategies; all when left out. */
  readonly strategies?: ReadonlySet<StrategyName>
}

/** For one document, all its calls together. */
export const REPAIR_LIMITS: RepairLimits = { attempts: 1000, milliseconds: 5000 }
