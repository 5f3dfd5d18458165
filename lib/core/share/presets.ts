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

/** By place: true for those that cost least, if that is less than not masking; by tokens where there is no price. */
export function cheapestOf(all: readonly Pick<Replay, 'before' | 'after'>[]): readonly boolean[] {
  const spent = all.map(({ before, after }) =>
    before.costs.cached === undefined
      ? [before.tokens, after.tokens]
      : [before.costs.cached, after.costs.cached ?? Number.POSITIVE_INFINITY],
  ) as [before: number, after: number][]
  const least = Math.min(...spent.map(([, after]) => after))
  return spent.map(([before, after]) => after === least && least < before)
}
