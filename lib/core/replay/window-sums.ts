import { priceTiers, type TokenSums } from './apply-prices'
import { fixedDecisionSums } from './fixed-decision-sums'
import { maskingPlan } from './masking-plan'
import type { PreparedReplay } from './prepare-replay'
import { type CostTerms, type ReplaySide, replaySums, totalSide } from './replay'
import type { MaskWindow } from './walk-masked-requests'

/** Returns a function that gives the tokens under a window by price tier, as `replaySums` does; it is fast for many windows. */
export function windowSums(
  prepared: PreparedReplay,
  terms: CostTerms,
): (window: MaskWindow) => readonly TokenSums[] {
  const { fixedFrom } = maskingPlan(prepared)
  const sumsOfFixed = fixedDecisionSums(prepared, terms)
  const sumsOfChanging = fixedFrom === 1 ? sumsOfFixed : replaySums(prepared, terms)
  return (window) => (window.windowTurns >= fixedFrom ? sumsOfFixed : sumsOfChanging)(window)
}

/** Returns a function that gives the total under a window, as `replayTotal` does. */
export function windowTotals(
  prepared: PreparedReplay,
  terms: CostTerms,
): (window: MaskWindow) => ReplaySide {
  const tiers = priceTiers(terms.prices, terms.variants)
  const sumsOf = windowSums(prepared, terms)
  return (window) => totalSide(tiers, sumsOf(window))
}
