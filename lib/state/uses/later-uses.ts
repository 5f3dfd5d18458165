/** Later uses of the shown session, and those that the current policy loses. */
import { groupBy } from '@/lib/core/conversation/add-to-group'
import { stepAt } from '@/lib/core/policy/window-steps'
import type { LossFacts } from '@/lib/core/report/report-facts'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import { breakEvenRefetches, distanceOfShare } from '@/lib/core/uses/lost-uses'
import { sentMessagesOf } from '../costs/request-view'
import { sessionIndexOf } from '../costs/shown-session'
import { isTrying, triedViewOf } from '../costs/tried-mechanism'
import { conversationOf } from '../document/selectors'
import { repeatedOf } from '../loop/found-repeats'
import { keptTurnNow } from '../policy/policy-facts'
import { current, figuresOf, lostUsesOf, type PolicyView, refetchedOf } from '../policy/policy-view'
import { answerTo, ofShown, optional, type PlaygroundState, select } from '../store'

/** The input of the job that finds the later uses; undefined until the document is counted. */
export const laterUsesInputOf = select(
  [({ read }) => read?.source.id, sessionIndexOf],
  (document, session) => ({ document, session }),
)

/** All later uses of the shown session; undefined until the worker answers. */
export const laterUsesOf = answerTo<'findLaterUses'>(laterUsesInputOf)

/** A later use, and whether the current policy loses it. */
export interface ShownUse {
  readonly use: LaterUse
  readonly isLost: boolean
}

/** The later uses by both of their places; undefined until they are found. */
export const groupedUsesOf = select([laterUsesOf, lostUsesOf], (uses, lost) => {
  const lostUses = new Set(lost.map(({ use }) => use))
  const shown = uses.map((use, index): ShownUse => ({ use, isLost: lostUses.has(index) }))
  return {
    ofResult: groupBy(shown, ({ use }) => use.result),
    ofAnswer: groupBy(shown, ({ use }) => use.message),
  }
})

export type Arc = readonly [from: number, to: number]

/** More arcs are not told apart. */
const MOST_ARCS = 2_000

/** The arcs of the shown conversation up to the request shown; undefined until its later uses are found. */
export const arcsOf = select(
  [conversationOf, laterUsesOf, lostUsesOf, ({ request = Infinity }) => request],
  ({ results }, all, allLost, shownRequest) => {
    // An earlier request has the answers to the requests before it; uses are in the order of the requests.
    const uses = all.filter(({ request }) => request < shownRequest)
    const lostUses = new Set(allLost.map(({ use }) => use))
    const pairs = new Map<string, { readonly arc: Arc; isLost: boolean }>()
    for (const [index, { result, message }] of uses.entries()) {
      const from = results[result]?.message ?? 0
      const key = `${from} ${message}`
      const isLost = lostUses.has(index)
      const known = pairs.get(key)
      if (known === undefined) pairs.set(key, { arc: [from, message], isLost })
      else known.isLost ||= isLost
    }
    const sorted = [...pairs.values()].sort((a, b) => b.arc[1] - b.arc[0] - (a.arc[1] - a.arc[0]))
    const pick = (isLost: boolean) =>
      sorted
        .filter((pair) => pair.isLost === isLost)
        .slice(0, MOST_ARCS)
        .map(({ arc }) => arc)
    return {
      // Messages of the result and of the answer; each pair once, the farthest first.
      kept: pick(false),
      lost: pick(true),
      results: new Set(uses.map(({ result }) => result)).size,
    }
  },
)

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
    const call = repeated[at]
    return call ? [{ result: call.result, message: call.message, term: undefined }] : []
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
