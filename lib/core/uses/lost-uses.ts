/**
 * Which later uses a policy loses. A use is lost when every result that had its term is masked in the request of its
 * answer, and no placeholder of that request contains the term. The window and the batch only determine when a result is
 * masked, so each use is examined once for all windows.
 */
import type { ToolResult } from '../conversation/conversation'
import { firstKeptTurn } from '../policy/decide'
import { renderPlaceholder } from '../policy/placeholder'
import { type MaskedSpan, type MaskingPlan, maskingPlan } from '../replay/masking-plan'
import { maskableResults, type PreparedReplay } from '../replay/prepare-replay'
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
  const maskedAfter = maskedAfterOf(maskingPlan(prepared))
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
function maskedAfterOf({ spans, groupOf, positionOf }: MaskingPlan) {
  const spansOf = new Map<number, MaskedSpan[]>()
  for (const span of spans) {
    const known = spansOf.get(span.groupIndex)
    if (known === undefined) spansOf.set(span.groupIndex, [span])
    else known.push(span)
  }
  return (result: number, request: number): number => {
    const position = positionOf[result] as number
    const span = spansOf
      .get(groupOf[result] as number)
      ?.find(({ from, until }) => from <= request && request < until)
    const isMasked = (span?.masking.placeholders[position] ?? 0) > 0
    return span !== undefined && isMasked ? span.turn : NEVER
  }
}

/** By term: the results whose placeholder contains it. */
function resultsRepeating(
  uses: readonly LaterUse[],
  prepared: PreparedReplay,
  { template, resultTokens }: PlaceholderFacts,
): ReadonlyMap<string, readonly number[]> {
  const index = createTermIndex()
  for (const { term } of uses) index.add(term)
  const repeating = new Map<string, number[]>()
  for (const result of maskableResults(prepared).sort((a, b) => a - b)) {
    const facts = prepared.session.conversation.results[result] as ToolResult
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
