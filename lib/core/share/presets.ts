/** Named policies to start from. The messages name what converting windows to turns loses. Read November 2026. */
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import type { Replay } from '../replay/replay'
import table from './presets.json' with { type: 'json' }

export interface Preset {
  readonly id: keyof typeof table
  /** The mechanism that it translates into turns, and that the export with the same id sets. */
  readonly mechanism?: string
  /** Differences from Schema 1's default; masking is on. */
  readonly settings: Partial<MaskPolicy>
  /** Source of the numbers; this project's presets have none. */
  readonly source?: string
  /** Keeps the newest results of this many tokens, and masks older ones once they have `least` tokens. */
  readonly tokens?: { readonly kept: number; readonly least: number }
}

export const PRESETS = Object.entries(table).map(([id, row]) => ({ id, ...row })) as Preset[]

/** Returns a preset's policy. One that counts tokens needs the tokens of each turn's results; undefined without. */
export function presetPolicy(
  { settings, tokens }: Preset,
  turnTokens: readonly number[] | undefined,
): MaskPolicy | undefined {
  const policy = { ...DEFAULT_POLICY, enabled: true, ...settings }
  if (tokens === undefined) return policy
  if (turnTokens === undefined || turnTokens.length === 0) return undefined
  const average = turnTokens.reduce((sum, count) => sum + count, 0) / turnTokens.length
  return {
    ...policy,
    windowTurns: turnsHolding(turnTokens, tokens.kept),
    batchTurns: Math.max(1, Math.round(tokens.least / Math.max(1, average))),
  }
}

/** Number of last turns with at most this many tokens: at least one, and more than all turns if all fit. */
function turnsHolding(turnTokens: readonly number[], most: number): number {
  let total = 0
  for (let turns = 0; turns < turnTokens.length; turns++) {
    total += turnTokens[turnTokens.length - 1 - turns] as number
    if (total > most) return Math.max(1, turns)
  }
  const average = Math.max(1, total / turnTokens.length)
  return Math.max(turnTokens.length, Math.floor(most / average))
}

/** True if none costs less than not masking; where there is no price, if none sends fewer tokens. */
export function savesNothing(all: readonly Pick<Replay, 'before' | 'after'>[]): boolean {
  return all.every(({ before, after }) => {
    const { cached = before.tokens } = before.costs
    return (after.costs.cached ?? after.tokens) >= cached
  })
}

/** Cheapest first, then those without a price, by tokens. The cheapest is marked if it costs less than not masking. */
export function cheapestFirst(all: readonly Pick<Replay, 'before' | 'after'>[]) {
  const rows = all.map(({ before, after: { tokens, costs } }, at) => {
    const cost = costs.cached ?? Number.MAX_VALUE
    return { at, cost, tokens, isCheapest: cost < (before.costs.cached ?? 0) }
  })
  rows.sort((a, b) => a.cost - b.cost || a.tokens - b.tokens)
  return rows.map((row) => ({ ...row, isCheapest: row.isCheapest && row.cost === rows[0]?.cost }))
}
