import table from './repair-strategies.json' with { type: 'json' }

/**
 * Risk of a strategy. `none`: only syntax changes. `guess`: the start or end of a string was guessed. `loss`:
 * something was removed, or was missing from the start.
 */
export type RepairRisk = 'none' | 'guess' | 'loss'

export type StrategyName = keyof typeof table

interface Strategy {
  readonly risk: RepairRisk
  /** What it removes is no data. The parser gives a fix a higher risk where that is not certain. */
  readonly dropsNoData?: boolean
  /** Adds a value the text does not have, and says so. */
  readonly addsValues?: boolean
  /** Applies only if a quote may be part of a string's content. */
  readonly needsDoubtfulQuotes?: boolean
  /** For a pasted transcript; without it, if only syntax changes. */
  readonly suitsTranscripts?: boolean
}

/** Every strategy, in the order listed to the user. */
export const STRATEGIES = table as Readonly<Record<StrategyName, Strategy>>

/** The highest risk of all fixes. */
export function riskOf({ fixes }: { readonly fixes: readonly { readonly risk: RepairRisk }[] }) {
  const risks = new Set(fixes.map(({ risk }) => risk))
  return risks.has('loss') ? 'loss' : risks.has('guess') ? 'guess' : 'none'
}

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as readonly StrategyName[]
