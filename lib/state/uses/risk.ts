/** What the current policy loses, what that may cost, and settings that take it into account. */

import type { Conversation } from '@/lib/core/conversation/conversation'
import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import { type Decision, firstKeptTurn } from '@/lib/core/policy/decide'
import type { Usd } from '@/lib/core/replay/units'
import type { LossFacts } from '@/lib/core/report/report-facts'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import { distanceOfShare, type LosableUse, usesByDistance } from '@/lib/core/uses/lost-uses'
import { breakEvenRefetches, type RefetchCosts } from '@/lib/core/uses/refetch-costs'
import { conversationOf } from '../document/selectors'
import { loopReportOf } from '../loop/repeated-calls'
import { decisionsOf, figuresOf, lostUsesOf, refetchedOf } from '../policy/policy-view'
import { memoize } from '../select'
import type { PlaygroundState } from '../store'
import { laterUsesOf } from './later-uses'

export interface Risk {
  readonly laterUses: number
  readonly lostUses: number
  readonly lostResults: number
  /** Input with caching: sending everything, masked, and masked with everything lost fetched again. */
  readonly before: Usd | undefined
  readonly cost: Usd | undefined
  readonly worstCost: Usd | undefined
  /** Results that can be fetched again before masking costs more than it saves. */
  readonly breakEven: number | undefined
}

const risk = memoize(
  (
    laterUses: readonly LaterUse[],
    lost: readonly LosableUse[],
    again: RefetchCosts,
    figures: NonNullable<ReturnType<typeof figuresOf>>,
  ): Risk => {
    const before = figures.before.costs.cached
    const cost = figures.after.costs.cached
    const isKnown = before !== undefined && cost !== undefined && again.cached !== undefined
    return {
      laterUses: laterUses.length,
      lostUses: lost.length,
      lostResults: again.results,
      before,
      cost,
      worstCost: isKnown ? cost + (again.cached ?? 0) : undefined,
      breakEven: breakEvenRefetches(isKnown ? before - cost : undefined, again),
    }
  },
)

/** What the current policy loses; undefined until the uses are found and the session is replayed. */
export function riskOf(state: PlaygroundState): Risk | undefined {
  const uses = laterUsesOf(state)
  const lost = lostUsesOf(state)
  const again = refetchedOf(state)
  const figures = figuresOf(state)
  return uses && lost && again && figures && risk(uses, lost, again, figures)
}

export interface UseDistances {
  /** Later uses by distance in turns, and those that are lost. */
  readonly counts: readonly number[]
  readonly lost: readonly number[]
  /** The share of uses that the recommendation keeps, and the turns within which as many come. */
  readonly share: number
  readonly most: number
}

const distances = memoize(
  (uses: readonly LaterUse[], lost: readonly LosableUse[], share: number): UseDistances => ({
    share,
    counts: usesByDistance(uses),
    lost: usesByDistance(lost.map(({ use }) => uses[use] as LaterUse)),
    most: distanceOfShare(uses, share),
  }),
)

/** How far apart results and their later uses are; undefined until they are found. */
export function distancesOf(state: PlaygroundState): UseDistances | undefined {
  const uses = laterUsesOf(state)
  const lost = lostUsesOf(state)
  return uses && lost && distances(uses, lost, state.advice.keptShare)
}

const lossFacts = memoize(
  (uses: readonly LaterUse[], lost: readonly LosableUse[], found: Risk, near: UseDistances) => {
    const byRequest = (requests: readonly { readonly request: number }[]) => {
      const counts: number[] = []
      for (const { request } of requests) counts[request] = (counts[request] ?? 0) + 1
      return Array.from(counts, (count) => count ?? 0)
    }
    const { laterUses, lostUses, lostResults, worstCost, breakEven } = found
    return {
      ...{ laterUses, lostUses, lostResults, worstCost, breakEven },
      mostTurns: near.most,
      mostShare: near.share,
      usesByRequest: byRequest(uses),
      lostByRequest: byRequest(lost),
    }
  },
)

/** What the report says of later uses; undefined until they are found. */
export function lossFactsOf(state: PlaygroundState): LossFacts | undefined {
  const uses = laterUsesOf(state)
  const lost = lostUsesOf(state)
  const found = riskOf(state)
  const near = distancesOf(state)
  return uses && lost && found && near && lossFacts(uses, lost, found, near)
}

const repeated = memoize(
  (
    { calls, results }: Conversation,
    { repeats }: RepeatedCallsReport,
    decisions: readonly Decision[],
    windowTurns: number,
    batchTurns: number,
  ): readonly number[] => {
    const masked = new Set<string | undefined>()
    for (const [at, { callId }] of results.entries())
      if (decisions[at]?.action === 'mask') masked.add(callId)
    const messages = repeats.flatMap(({ call, earlier }) => {
      const [again, first] = [calls[call], calls[earlier]]
      if (again?.turn === undefined || first?.turn === undefined || !masked.has(first.id)) return []
      // The request of a turn has the turns before it.
      const isMasked = first.turn < firstKeptTurn(again.turn, { windowTurns, batchTurns })
      return isMasked ? [again.message] : []
    })
    return [...new Set(messages)]
  },
)

/** The messages of these calls; undefined until repeated calls are found. */
export function repeatedAfterMaskingOf(state: PlaygroundState): readonly number[] | undefined {
  const conversation = conversationOf(state)
  const report = loopReportOf(state)
  const decisions = decisionsOf(state)?.[state.conversation]
  const { windowTurns, batchTurns } = state.policy
  return (
    conversation &&
    report &&
    decisions &&
    repeated(conversation, report, decisions, windowTurns, batchTurns)
  )
}
