import type { PreparedReplay } from '../replay/prepare-replay'
import type { CostTerms } from '../replay/replay'
import { type LossesOfBatch, NOTHING_LOST } from '../replay/sweep'
import { lossCurve } from './loss-curve'
import type { LosableUse } from './lost-uses'
import { refetchCosts } from './refetch-costs'

/** Returns what each point of a sweep loses. */
export function pointLosses(
  prepared: PreparedReplay,
  losable: readonly LosableUse[],
  terms: CostTerms,
): LossesOfBatch {
  const refetchOf = refetchCosts(prepared, losable, terms)
  return (batchTurns, windows) => {
    const curve = lossCurve(losable, batchTurns, windows)
    return (windowTurns) => {
      const uses = curve.uses[windowTurns - 1] as number
      if (uses === 0) return NOTHING_LOST
      return { uses, ...refetchOf({ windowTurns, batchTurns }) }
    }
  }
}
