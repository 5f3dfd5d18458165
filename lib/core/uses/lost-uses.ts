/**
 * Which later uses a policy loses. A use is lost when every result that had its term is masked in the request of its
 * answer, and no placeholder of that request contains the term. The window and the batch only determine when a result is
 * masked, so each use is examined once for all windows.
 */

import { addToGroup, groupBy } from '../conversation/add-to-group'
import type { ToolResult } from '../conversation/conversation'
import { renderPlaceholder } from '../policy/placeholder'
import { type SessionLimits, sessionLimit } from '../replay/limit/session-limit'
import type { MaskWindow, PreparedReplay } from '../replay/prepare-replay'
import { addRequest, applyPrices, emptySums, priceTiers } from '../replay/price-sheet'
import { splitRequest, type Tokens, type Usd } from '../replay/prompt-cache'
import { windowTokens } from '../replay/replay'
import { keptTurnsOf } from '../replay/request-changes'
import { type CostTerms, requestTermsOf } from '../replay/request-terms'
import type { SessionRequest } from '../replay/sessions'
import type { PointLoss } from '../replay/sweep'
import type { LaterUse } from './find-later-uses'
import { createTermIndex } from './term-index'

/** A use that some window loses. */
export interface LosableUse {
  /** Index of the use. */
  readonly use: number
  /** The newest result that had the term: the one to fetch again. */
  readonly result: number
  readonly request: number
  /** It is lost once the window has passed all of these, */
  readonly lostAfter: readonly PassedTurn[]
  /** and not once it has passed one of these, whose result gets a placeholder that contains the term. */
  readonly backAfter: readonly PassedTurn[]
}

/** A turn that the window passes or not in a request of so many turns: that of the use, or one that decided for it. */
interface PassedTurn {
  readonly turn: number
  readonly request: number
  readonly turnCount: number
}

export interface PlaceholderFacts {
  readonly template: string
  /** By result: our count of its tokens, as `{original_tokens}` gives it. */
  readonly resultTokens: readonly number[]
}

/** The uses that some window loses under the rest of a policy, in the order of `uses`. */
export function losableUses(
  uses: readonly LaterUse[],
  prepared: PreparedReplay,
  placeholders: PlaceholderFacts,
): LosableUse[] {
  const maskedAfter = maskedAfterOf(prepared)
  const repeating = resultsRepeating(uses, prepared, placeholders)
  return uses.flatMap(({ term, result, holders, request }, use) => {
    if (request < prepared.firstTriggered) return []
    const masked = holders.map((holder) => maskedAfter(holder, request))
    if (masked.includes(undefined)) return []
    const lostAfter = byRequest(masked as PassedTurn[], Math.max)
    const others = (repeating.get(term) ?? [])
      .map((other) => maskedAfter(other, request))
      .filter((one) => one !== undefined)
    const backAfter = byRequest(others, Math.min)
    const isAlwaysBack = lostAfter.some((lost) =>
      backAfter.some((back) => back.request === lost.request && back.turn <= lost.turn),
    )
    return isAlwaysBack ? [] : [{ use, result, request, lostAfter, backAfter }]
  })
}

/** One turn for each request. */
function byRequest(passed: readonly PassedTurn[], choose: (...turns: readonly number[]) => number) {
  const found = new Map<number, PassedTurn>()
  for (const one of passed) {
    const turn = choose(one.turn, found.get(one.request)?.turn ?? one.turn)
    found.set(one.request, { ...one, turn })
  }
  return [...found.values()]
}

/** A function that gives the turn after which a result is masked in a request; undefined if no window masks it. */
function maskedAfterOf({ maskings, session: { requests } }: PreparedReplay) {
  const maskingsOf = groupBy(maskings, ({ result }) => result)
  return (result: number, request: number): PassedTurn | undefined => {
    const known = maskingsOf.get(result)
    const masking = known?.find(({ from, until }) => from <= request && request < until)
    if (masking === undefined) return undefined
    const decided = Math.min(request, masking.by)
    const { turnCount } = requests[decided] as SessionRequest
    return { turn: masking.turn, request: decided, turnCount }
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
  for (const result of prepared.maskableResults.toSorted((a, b) => a - b)) {
    const facts = prepared.results[result] as ToolResult
    index.scan(renderPlaceholder(template, facts, resultTokens[result]), (at) => {
      const term = index.terms[at] as string
      if (repeating.get(term)?.at(-1) !== result) addToGroup(repeating, term, result)
    })
  }
  return repeating
}

/** The uses that are lost under a window. */
export function lostUsesAt(
  losable: readonly LosableUse[],
  window: MaskWindow,
  prepared: PreparedReplay,
): LosableUse[] {
  return losable.filter(isLostAt(window, prepared))
}

/** A function that says if a window loses a use. */
export function isLostAt(window: MaskWindow, prepared: PreparedReplay) {
  const keptTurn = keptTurnsOf(prepared, window)
  const hasPassed = ({ turn, request }: PassedTurn) => keptTurn(request) > turn
  return ({ lostAfter, backAfter }: LosableUse): boolean =>
    window.windowTurns > 0 && lostAfter.every(hasPassed) && !backAfter.some(hasPassed)
}

/** The distance within which a share of the uses lie: a window of as many turns keeps them. 0 without uses. */
export function distanceOfShare(uses: readonly Pick<LaterUse, 'distance'>[], share: number) {
  const distances = uses.map(({ distance }) => distance).sort((one, other) => one - other)
  return distances[Math.ceil(share * distances.length) - 1] ?? 0
}

/** Without losses, a result stays until its last later use: the newest result that has a term, as long as answers use it. */
export function sessionLimits(
  prepared: PreparedReplay,
  losable: readonly LosableUse[],
  windowTurns: number,
  terms: CostTerms,
): SessionLimits {
  // Uses are in the order of the requests.
  const lastUses = new Map(losable.map(({ result, request }) => [result, request]))
  const any = sessionLimit(prepared, windowTurns, terms)
  const withoutLosses = sessionLimit(prepared, windowTurns, terms, lastUses)
  // A move that leaves results in place can be cheaper than one that masks them too.
  const isCheaper = any && withoutLosses && withoutLosses.cost < any.cost
  return { any: isCheaper ? withoutLosses : any, withoutLosses }
}

/** What a window loses, and the tokens of fetching that again. */
export interface RefetchCosts extends PointLoss {
  readonly tokens: Tokens
}

/**
 * Returns a function that gives what a window loses: what the results that lose a use add to the session. Each is fetched
 * once, before the first answer that needed it: one more request, which sends the masked context of that answer and the
 * result. The context was just sent, so it is read from the cache where the rule allows it; the result is new.
 */
export function refetchCosts(
  prepared: PreparedReplay,
  losable: readonly LosableUse[],
  terms: CostTerms,
): (window: MaskWindow) => RefetchCosts {
  const tiers = priceTiers(terms.prices, terms.variants)
  const sumsOf = refetchSums(prepared, losable, terms)
  return (window) => {
    const { sums, ...lost } = sumsOf(window)
    const { plain, cached } = applyPrices(tiers, sums)
    return { ...lost, plain, cached }
  }
}

/** Returns a function that gives what fetching lost results again adds under a window, before prices: sums are by price tier. */
export function refetchSums(
  prepared: PreparedReplay,
  losable: readonly LosableUse[],
  terms: CostTerms,
) {
  const { session } = prepared
  const tiers = priceTiers(terms.prices, terms.variants)
  const { priceClass } = requestTermsOf(session.requests, terms.rule, terms.variants)
  /** By result, in the order of the requests. */
  const inOrder = losable.toSorted((one, other) => one.request - other.request)
  const usesOf = groupBy(inOrder, ({ result }) => result)
  return (window: MaskWindow) => {
    const sums = emptySums(tiers)
    let [uses, results, tokens] = [0, 0, 0]
    const isLost = isLostAt(window, prepared)
    for (const [result, own] of usesOf) {
      const lost = own.filter(isLost)
      const [first] = lost
      if (first === undefined) continue
      const context = windowTokens(prepared, terms, window)(first.request)
      const total = context + (session.counts.results[result] as Tokens)
      const split = splitRequest(terms.rule, total, context)
      addRequest(sums, tiers, total, split, 0, priceClass[first.request])
      uses += lost.length
      results++
      tokens += total
    }
    return { uses, results, tokens, sums }
  }
}

/** The results that can be fetched again before masking costs as much as it saves, at the average cost of one. */
export function breakEvenRefetches(
  saved: Usd | undefined,
  { results, cached }: Pick<RefetchCosts, 'results' | 'cached'>,
): number | undefined {
  if (saved === undefined || cached === undefined || results === 0 || cached === 0) return undefined
  return Math.max(0, Math.floor((saved * results) / cached))
}
