/** What the page says about the setting: whether another is better for what the session costs with caching. */
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { type Recommendation, sessionCost } from '@/lib/core/replay/recommend'
import type { Replay } from '@/lib/core/replay/replay'
import type { Sweep, SweepPoint } from '@/lib/core/replay/sweep'
import { remembered } from './remembered'
import { recommendationOf, replayOf, sweepOf } from './savings'
import type { PlaygroundState } from './store'

/** A window and batch, and what they do to the cost of input with caching. */
export interface AdvisedPoint {
  readonly windowTurns: number
  readonly batchTurns: number
  readonly cost: BeforeAfter
}

export type Advice =
  /** These are cheaper than what is set. */
  | { readonly state: 'use'; readonly point: AdvisedPoint }
  /** Nothing allowed is cheaper than what is set. */
  | { readonly state: 'best' }
  /** Sending everything is cheapest; `cheapest` is the best of what masks. */
  | { readonly state: 'do_not_mask'; readonly cheapest: AdvisedPoint | undefined }
  | { readonly state: 'none' }

/** Cheaper by less than this share of the session's cost is not worth another setting. */
const LEAST_SHARE = 0.005

const advise = remembered((advice: Recommendation, swept: Sweep, replay: Replay): Advice => {
  const now = sessionCost(replay.after)
  const before = sessionCost(replay.before)
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
      // A window smaller than those that may be recommended can be cheaper all the same.
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

/** Advice on the policy as set; undefined while it is worked out. */
export function adviceOf(state: PlaygroundState): Advice | undefined {
  const advice = recommendationOf(state)
  const swept = sweepOf(state)
  const replay = replayOf(state)
  if (advice === undefined || swept === undefined || replay === undefined) return undefined
  return advise(advice, swept, replay)
}
