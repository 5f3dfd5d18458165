/**
 * Which later uses a policy loses. A use is lost when every result that had its term is masked in the request of its
 * answer, and no placeholder of that request contains the term. The window and the batch only determine when a result is
 * masked, so each use is examined once for all windows.
 */
import { firstKeptTurn } from '../policy/decide'
import { renderPlaceholder } from '../policy/placeholder'
import { type MaskingPlan, maskingPlan } from '../replay/masking-plan'
import type { PreparedReplay } from '../replay/prepare-replay'
import type { SessionRequest } from '../replay/sessions'
import type { MaskWindow } from '../replay/walk-masked-requests'
import type { LaterUse } from './find-later-uses'
import { createTermIndex } from './term-index'

/** A use that some window loses. */
export interface LosableUse {
  /** Index of the use. */
  readonly use: number
  /** The newest result that had the term: the one to fetch again. */
  readonly result: number
  readonly request: number
  /** Tool turns in the request. */
  readonly turnCount: number
  /** It is lost once the window has passed this turn, */
  readonly lostAfter: number
  /** and not once it has passed this one, whose result gets a placeholder that contains the term. */
  readonly backAfter: number
}

export interface PlaceholderFacts {
  readonly template: string
  /** By result: our count of its tokens, as `{original_tokens}` gives it. */
  readonly resultTokens: readonly number[]
}

const NEVER = Number.POSITIVE_INFINITY

/** The uses that some window loses under the rest of a policy, in the order of `uses`. */
export function losableUses(
  uses: readonly LaterUse[],
  prepared: PreparedReplay,
  placeholders: PlaceholderFacts,
): LosableUse[] {
  const plan = maskingPlan(prepared)
  const maskedAfter = maskedAfterOf(plan, prepared.links.length)
  const repeating = resultsRepeating(uses, prepared, placeholders)
  return uses.flatMap(({ term, result, holders, request }, use) => {
    if (request < prepared.firstTriggered) return []
    const lostAfter = Math.max(...holders.map((holder) => maskedAfter(holder, request)))
    const turns = (repeating.get(term) ?? []).map((other) => maskedAfter(other, request))
    const backAfter = Math.min(NEVER, ...turns)
    if (lostAfter === NEVER || backAfter <= lostAfter) return []
    const { turnCount } = prepared.session.requests[request] as SessionRequest
    return [{ use, result, request, turnCount, lostAfter, backAfter }]
  })
}

/** A function that gives the turn after which a result is masked in a request; infinite if no window masks it. */
function maskedAfterOf(plan: MaskingPlan, resultCount: number) {
  const spansOf: number[][] = Array.from({ length: resultCount }, () => [])
  for (const [span, result] of plan.result.entries()) spansOf[result]?.push(span)
  const turns = new Int32Array(plan.result.length)
  for (let turn = 0; turn + 1 < plan.startOfTurn.length; turn++) {
    turns.fill(turn, plan.startOfTurn[turn], plan.startOfTurn[turn + 1])
  }
  return (result: number, request: number): number => {
    const span = spansOf[result]?.find(
      (one) => (plan.from[one] as number) <= request && request < (plan.until[one] as number),
    )
    return span === undefined ? NEVER : (turns[span] as number)
  }
}

/** By term: the results whose placeholder contains it. */
function resultsRepeating(
  uses: readonly LaterUse[],
  { session, links }: PreparedReplay,
  { template, resultTokens }: PlaceholderFacts,
): ReadonlyMap<string, readonly number[]> {
  const index = createTermIndex()
  for (const { term } of uses) index.add(term)
  const repeating = new Map<string, number[]>()
  for (const [result, facts] of session.conversation.results.entries()) {
    if (!links[result]?.some(({ placeholder }) => placeholder > 0)) continue
    index.scan(renderPlaceholder(template, facts, resultTokens[result]), (at) => {
      const term = index.terms[at] as string
      const known = repeating.get(term)
      if (known === undefined) repeating.set(term, [result])
      else if (known.at(-1) !== result) known.push(result)
    })
  }
  return repeating
}

/** The uses that are lost under a window. */
export function lostUsesAt(losable: readonly LosableUse[], window: MaskWindow): LosableUse[] {
  return losable.filter((use) => isLostAt(use, window))
}

export function isLostAt(
  { turnCount, lostAfter, backAfter }: LosableUse,
  window: MaskWindow,
): boolean {
  if (window.windowTurns <= 0) return false
  const firstKept = firstKeptTurn(turnCount, window)
  return firstKept > lostAfter && firstKept <= backAfter
}
