/** What the current policy loses, what that may cost, and settings that take it into account. */

import { stepAt } from '@/lib/core/policy/window-steps'
import type { LossFacts } from '@/lib/core/report/report-facts'
import { distanceOfShare } from '@/lib/core/uses/lost-uses'
import { breakEvenRefetches } from '@/lib/core/uses/refetch-costs'
import { conversationOf } from '../document/selectors'
import { loopReportOf } from '../loop/repeated-calls'
import { keptTurnNow } from '../policy/policy-facts'
import {
  decisionsOf,
  figuresOf,
  lostUsesOf,
  refetchedOf,
  windowStepsOf,
} from '../policy/policy-view'
import { ofShown, optional, select } from '../select'
import { laterUsesOf } from './later-uses'

export type Risk = NonNullable<ReturnType<typeof riskOf>>

/** What the current policy loses; undefined until the uses are found and the session is replayed. */
export const riskOf = select(
  [laterUsesOf, lostUsesOf, refetchedOf, figuresOf],
  (laterUses, lost, again, figures) => {
    const before = figures.before.costs.cached
    const cost = figures.after.costs.cached
    const isKnown = before !== undefined && cost !== undefined && again.cached !== undefined
    return {
      laterUses: laterUses.length,
      lostUses: lost.length,
      lostResults: again.results,
      // Input with caching: sending everything, masked, and masked with everything lost fetched again.
      before,
      cost,
      worstCost: isKnown ? cost + (again.cached ?? 0) : undefined,
      /** Results that can be fetched again before masking costs more than it saves. */
      breakEven: breakEvenRefetches(isKnown ? before - cost : undefined, again),
    }
  },
)

/** What the report says of later uses; undefined until they are found. */
export const lossFactsOf = select(
  [laterUsesOf, lostUsesOf, riskOf, ({ advice }) => advice.keptShare],
  (uses, lost, found, share): LossFacts => {
    const byRequest = (requests: readonly { readonly request: number }[]) => {
      const counts: number[] = []
      for (const { request } of requests) counts[request] = (counts[request] ?? 0) + 1
      return Array.from(counts, (count) => count ?? 0)
    }
    const { laterUses, lostUses, lostResults, worstCost, breakEven } = found
    return {
      ...{ laterUses, lostUses, lostResults, worstCost, breakEven },
      mostTurns: distanceOfShare(uses, share),
      mostShare: share,
      usesByRequest: byRequest(uses),
      lostByRequest: byRequest(lost),
    }
  },
)

/** The messages of calls that repeat one whose result was masked; undefined until repeated calls are found. */
export const repeatedAfterMaskingOf = select(
  [
    conversationOf,
    loopReportOf,
    ofShown(decisionsOf),
    ({ policy }) => policy,
    optional(windowStepsOf),
  ],
  ({ calls, results }, { repeats }, decisions, policy, steps = []): readonly number[] => {
    const masked = new Set<string | undefined>()
    for (const [at, { callId }] of results.entries())
      if (decisions[at]?.action === 'mask') masked.add(callId)
    const messages = repeats.flatMap(({ call, earlier }) => {
      const [again, first] = [calls[call], calls[earlier]]
      if (again?.turn === undefined || first?.turn === undefined || !masked.has(first.id)) return []
      // The request of a turn has the turns before it.
      const step = stepAt(steps, again.message)
      const isMasked = first.turn < keptTurnNow(again.turn, policy, step && [step])
      return isMasked ? [again.message] : []
    })
    return [...new Set(messages)]
  },
)
