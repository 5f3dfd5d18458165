/** What the current policy loses, what that may cost, and settings that take it into account. */

import { stepAt } from '@/lib/core/policy/window-steps'
import type { LossFacts } from '@/lib/core/report/report-facts'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import { distanceOfShare } from '@/lib/core/uses/lost-uses'
import { breakEvenRefetches } from '@/lib/core/uses/refetch-costs'
import { sentMessagesOf } from '../costs/request-view'
import { isTrying, triedViewOf } from '../costs/tried-mechanism'
import { conversationOf } from '../document/selectors'
import { repeatedOf } from '../loop/found-repeats'
import { keptTurnNow } from '../policy/policy-facts'
import { current, figuresOf, lostUsesOf, type PolicyView, refetchedOf } from '../policy/policy-view'
import { ofShown, optional, select } from '../select'
import type { PlaygroundState } from '../store'
import { type Arc, laterUsesOf } from './later-uses'

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

/** Those whose earlier result was masked by then. */
const askedAgainWith = (view: PolicyView) => {
  const { decisionsOf, policyOf, windowStepsOf } = view
  const ownOf = select(
    [repeatedOf, ofShown(decisionsOf), policyOf, optional(windowStepsOf)],
    (repeated, decisions, policy, steps = []): readonly ForgottenResult[] =>
      repeated.flatMap(({ result, message, turn, firstTurn }) => {
        // The request of a turn has the turns before it.
        const step = stepAt(steps, message)
        const isMasked =
          decisions[result]?.action === 'mask' &&
          firstTurn < keptTurnNow(turn, policy, step && [step])
        return isMasked ? [{ result, message, term: undefined }] : []
      }),
  )
  return (state: PlaygroundState) =>
    view === current && isTrying(state) ? triedAgainOf(state) : ownOf(state)
}

const triedAgainOf = select([repeatedOf, triedViewOf], (repeated, { again }) =>
  again.flatMap((at): ForgottenResult[] => {
    const { result, message } = repeated[at] ?? {}
    return result === undefined || message === undefined
      ? []
      : [{ result, message, term: undefined }]
  }),
)

/** A result that was needed once it was masked. */
export interface ForgottenResult {
  readonly result: number
  /** The first answer that needed it. */
  readonly message: number
  /** What the answer had from it; undefined if it issued the same call again. */
  readonly term: string | undefined
}

/** Every later use that a policy loses, and every call that repeats one whose result it masks; undefined until they are found. */
const needsWith = (view: PolicyView) =>
  select(
    [laterUsesOf, view.lostUsesOf, optional(askedAgainWith(view))],
    (uses, lost, again = []): readonly ForgottenResult[] => [
      ...lost.map(({ use }) => uses[use] as LaterUse),
      ...again,
    ],
  )

/** The results of them, in the order of the results. */
const forgottenOfNeeds = (needsOf: ReturnType<typeof needsWith>) =>
  select([needsOf], (needs): readonly ForgottenResult[] =>
    needs
      .toSorted((a, b) => a.result - b.result || a.message - b.message)
      .filter(({ result }, at, sorted) => result !== sorted[at - 1]?.result)
      .map(({ result, message, term }) => ({ result, message, term })),
  )

export const forgottenWith = (view: PolicyView) => forgottenOfNeeds(needsWith(view))
export const needsOf = needsWith(current)
export const forgottenOf = forgottenOfNeeds(needsOf)

/** The message of each forgotten result that the same call needed first, and that of the call, up to the request shown. */
export const repeatedArcsOf = select(
  [forgottenOf, conversationOf, sentMessagesOf],
  (rows, { results }, sent) =>
    rows.flatMap(({ result, message, term }): Arc[] => {
      const from = results[result]?.message
      return term === undefined && from !== undefined && message < sent ? [[from, message]] : []
    }),
)
