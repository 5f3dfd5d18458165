import table from './repair-strategies.json' with { type: 'json' }

/**
 * Risk of a strategy. `none`: only syntax changes. `guess`: the start or end of a string was guessed. `loss`:
 * something was removed, or was missing from the start.
 */
export type RepairRisk = 'none' | 'guess' | 'loss'

export type StrategyName = keyof typeof table

/** Every strategy with its risk, in the order listed to the user. */
export const STRATEGIES = table as Readonly<Record<StrategyName, RepairRisk>>

/** The highest risk of all fixes. */
export function riskOf({ fixes }: { readonly fixes: readonly { readonly risk: RepairRisk }[] }) {
  const risks = new Set(fixes.map(({ risk }) => risk))
  return risks.has('loss') ? 'loss' : risks.has('guess') ? 'guess' : 'none'
}

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as readonly StrategyName[]
