/** The figures of the recommendation for all sessions, for views and reports. */
import type { FleetComparison, FleetSum } from '@/lib/core/fleet/recommend-fleet'
import { type Recommendation, sessionCost } from '@/lib/core/replay/recommend'
import type { SweepPoint } from '@/lib/core/replay/sweep'
import type { Jobs } from '@/lib/worker/jobs'
import { memoize } from '../select'

export interface FleetFacts
  extends Pick<FleetSum, 'sessions' | 'unpriced' | 'requests' | 'laterUses' | 'swept'> {
  readonly recommendation: Recommendation
  /** Undefined if masking is not recommended. */
  readonly comparison: FleetComparison | undefined
  readonly point: SweepPoint | undefined
  /** The share that each session's own cheapest setting saves, everything lost fetched again; undefined without costs. */
  readonly savedByOwn: number | undefined
}

export const fleetFactsOf = memoize(
  ({ sum, comparison }: Jobs['recommendFleet']['output']): FleetFacts => {
    const before = sessionCost(sum.swept.before)
    const { recommendation } = sum
    return {
      ...sum,
      comparison,
      point: recommendation.state === 'mask' ? recommendation.point : undefined,
      savedByOwn: before ? (before - sum.ownWorstCost) / before : undefined,
    }
  },
)
