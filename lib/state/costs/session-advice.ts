/** The recommended window and batch, and whether it is clearly better than the current policy. */

import { mostLostUses, recommend, sessionCost } from '@/lib/core/replay/recommend'
import type { SweepPoint } from '@/lib/core/replay/sweep'
import { figuresOf, lostUsesOf, refetchedOf, sweepOf } from '../policy/policy-view'
import { type PlaygroundState, select } from '../store'
import { laterUsesOf } from '../uses/later-uses'

/** The recommendation of `core/replay/recommend`; undefined until the session is swept and its later uses are found. */
export const recommendationOf = select(
  [sweepOf, (state) => laterUsesOf(state)?.length, ({ advice }) => advice],
  (swept, uses, advice) => recommend(swept, uses, advice),
)

/** The recommended point, or the cheapest one that may be recommended if masking does not pay. */
export function bestPointOf(state: PlaygroundState): SweepPoint | undefined {
  const advice = recommendationOf(state)
  if (advice?.state === 'mask') return advice.point
  return advice?.state === 'do_not_mask' ? advice.cheapest?.point : undefined
}

/** `use`: the recommended setting is better than the current one. `best`: none that may be recommended is. */
export type Advice = 'use' | 'best' | 'do_not_mask' | 'none'

/** The specification recommends 5 to 10 turns. */
const SHORTEST_USUAL = 5

/** Whether the policy masks with a window of fewer turns than both the specification and the user's advice allow. */
export function isWindowTooShort({ policy, advice }: PlaygroundState): boolean {
  const least = Math.min(advice.smallestWindow, SHORTEST_USUAL)
  return policy.enabled && policy.windowTurns > 0 && policy.windowTurns < least
}

/** A smaller difference, as a share of the session's cost, is not worth a change. */
const LEAST_SHARE = 0.005

/** Advice on the current policy; undefined until the session is swept. */
export function adviceOf(state: PlaygroundState): Advice | undefined {
  const advice = recommendationOf(state)
  const figures = figuresOf(state)
  const again = refetchedOf(state)
  if (advice === undefined || figures === undefined || again === undefined) return undefined
  const cost = sessionCost(figures.after)
  const before = sessionCost(figures.before)
  if (cost === undefined || before === undefined || again.cached === undefined) return 'none'
  const worst = cost + again.cached
  const most = mostLostUses(laterUsesOf(state)?.length ?? 0, state.advice)
  const keepsEnough = (lostUsesOf(state)?.length ?? 0) <= most
  switch (advice.state) {
    case 'mask': {
      const isAllowed = keepsEnough && !isWindowTooShort(state)
      return !isAllowed || worst - advice.worstCost > LEAST_SHARE * before ? 'use' : 'best'
    }
    case 'do_not_mask':
      // The current window may be cheaper and smaller than the smallest that may be recommended.
      return worst < before && keepsEnough ? 'best' : 'do_not_mask'
    case 'no_results':
    case 'nothing_maskable':
    case 'price_unknown':
      return 'none'
  }
}
