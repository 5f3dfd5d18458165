import type { ReplaySide } from '@/lib/core/replay/replay'

/** What is drawn: tokens of input, dollars of input without caching, or with it. */
export const SWEEP_AXES = ['cached', 'plain', 'tokens'] as const

export type SweepAxis = (typeof SWEEP_AXES)[number]

/** A side on an axis; undefined where a price is unknown. */
export function valueOn(axis: SweepAxis, side: ReplaySide): number | undefined {
  return axis === 'tokens' ? side.tokens : side.costs[axis]
}
