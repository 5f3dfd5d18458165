/**
 * What it costs to fetch lost results again. Each result with a lost use is fetched once, before the first answer that
 * needed it: one more request, which sends the masked context of that answer and the result. The context was just sent, so
 * it is read from the cache where the rule allows it; the result is new.
 */
import { groupBy } from '../conversation/add-to-group'
import type { MaskWindow, PreparedReplay } from '../replay/prepare-replay'
import { addRequest, applyPrices, emptySums, priceTiers } from '../replay/price-sheet'
import { splitRequest } from '../replay/prompt-cache'
import { windowTokens } from '../replay/replay'
import { type CostTerms, requestTermsOf } from '../replay/request-terms'
import type { PointLoss } from '../replay/sweep'
import type { Tokens, Usd } from '../replay/units'
import { isLostAt, type LosableUse } from './lost-uses'

/** What a window loses, and the tokens of fetching that again. */
export interface RefetchCosts extends PointLoss {
  readonly tokens: Tokens
}

/** Returns a function that gives what a window loses: what the results that lose a use add to the session. */
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
