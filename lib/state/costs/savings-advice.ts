/** Compares the current policy with the recommended window and batch, by the session's cost with caching. */
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { type Recommendation, sessionCost } from '@/lib/core/replay/recommend'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import type { Sweep, SweepPoint } from '@/lib/core/replay/sweep'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { figuresOf, recommendationOf, sweepOf } from './session-replay'

/** A window and batch, and the cost of input with caching before and after. */
export interface AdvisedPoint {
  readonly windowTurns: number
  readonly batchTurns: number
  readonly cost: BeforeAfter
}

export type Advice =
  /** The point is cheaper than the current policy. */
  | { readonly state: 'use'; readonly point: AdvisedPoint }
  /** No point that may be recommended is cheaper. */
  | { readonly state: 'best' }
  /** Sending everything is cheapest; `cheapest` is the best point that masks. */
  | { readonly state: 'do_not_mask'; readonly cheapest: AdvisedPoint | undefined }
  | { readonly state: 'none' }

/** A smaller saving, as a share of the session's cost, is not worth a change. */
const LEAST_SHARE = 0.005

const advise = memoize((advice: Recommendation, swept: Sweep, figures: ReplayFigures): Advice => {
  const now = sessionCost(figures.after)
  const before = sessionCost(figures.before)
  if (now === undefined || before === undefined) return { state: 'none' }
  const advised = ({ windowTurns, batchTurns, total }: SweepPoint): AdvisedPoint => ({
    windowTurns,
    batchTurns,
    cost: { before: swept.before.costs.cached ?? 0, after: total.costs.cached ?? 0 },
  })
  switch (advice.state) {
    case 'mask':
      return now - advice.cost > LEAST_SHARE * before
        ? { state: 'use', point: advised(advice.point) }
        : { state: 'best' }
    case 'do_not_mask':
      // The current window may be cheaper and smaller than the smallest that may be recommended.
      if (now < before) return { state: 'best' }
      return {
        state: 'do_not_mask',
        cheapest: advice.cheapest && advised(advice.cheapest.point),
      }
    case 'no_results':
    case 'nothing_maskable':
    case 'price_unknown':
      return { state: 'none' }
  }
})

/** Advice on the current policy; undefined until the session is swept. */
export function adviceOf(state: PlaygroundState): Advice | undefined {
  const advice = recommendationOf(state)
  const swept = sweepOf(state)
  const figures = figuresOf(state)
  if (advice === undefined || swept === undefined || figures === undefined) return undefined
  return advise(advice, swept, figures)
}
