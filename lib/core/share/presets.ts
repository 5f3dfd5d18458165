/** Named policies to start from. What vendors do by rules of their own is in `core/mechanisms`. */
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import type { Replay } from '../replay/replay'
import table from './presets.json' with { type: 'json' }

export interface Preset {
  readonly id: keyof typeof table
  readonly policy: MaskPolicy
  /** Source of the numbers; this project's presets have none. */
  readonly source?: string
}

export const PRESETS = Object.entries(table).map(([id, { settings, ...row }]) => ({
  ...{ id, ...row },
  policy: { ...DEFAULT_POLICY, enabled: true, ...settings },
})) as readonly Preset[]

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
