/** What the cache reads of one request after another, and what they cost. */
import { partitionPoint } from '../../text/span'
import type { PreparedReplay } from '../prepare-replay'
import { priceOf, priceTiers, tierOf } from '../price-sheet'
import { cachedTokens, type Tokens } from '../prompt-cache'
import { reachOf } from '../request-pass'
import { type CostTerms, requestTermsOf } from '../request-terms'
import { headMessages, unitEndsOf } from '../sessions'
import { NEVER } from './levels'

export type RequestPrices = ReturnType<typeof createRequestPrices>

/** For one request at a time: the one that was entered last. */
export function createRequestPrices(
  { session, prefixTokens }: PreparedReplay,
  { rule, prices, variants }: CostTerms,
) {
  const { requests } = session
  const { priceClass, startsCold } = requestTermsOf(requests, rule, variants)
  const tiers = priceTiers(prices, variants)
  const { input, cacheWrite, cachedRead } = tiers.prices
  const ends = requests.map(({ end }) => end)
  const unitEnds = unitEndsOf(session)
  const reach = reachOf(rule, session)
  const isUnits = rule.kind === 'units'
  const isBreakpoint = rule.kind === 'breakpoint'
  const interval = (isUnits && rule.intervalTokens) || NEVER
  const mostAfterChange = session.readableHead ?? NEVER
  const headTokens =
    isBreakpoint && rule.isHeadMarked
      ? (session.readableHead ?? (prefixTokens[headMessages(session.conversation)] as Tokens))
      : 0
  const savedByRead = cachedRead.map(
    (price, tier) => (cacheWrite[tier] ?? Number.NaN) - (price ?? Number.NaN),
  )
  let request = 0
  const isReached = (earlier: number) =>
    (reach.positions[request] as number) - (reach.positions[earlier] as number) <= reach.longest
  /** What is read where an earlier request of so many tokens is the beginning of this one. */
  const sharedWith = (earlier: number, tokens: Tokens): Tokens => {
    if (!isBreakpoint) return tokens
    return isReached(earlier) ? Math.max(headTokens, tokens) : headTokens
  }

  return {
    ends,
    unitEnds,
    isUnits,
    hasStack: isUnits || isBreakpoint,
    /** No price is lower for a token that is written than for one that is read. */
    isReadCheaper: savedByRead.every((price) => !(price < 0)),
    /** What reading a token saves at most. */
    mostSaved: Math.max(...savedByRead),
    enter: (next: number) => {
      request = next
    },
    cached: (tokens: Tokens) => cachedTokens(rule, tokens),
    /** The price of the request if nothing is read. */
    unread: (tokens: Tokens): number => {
      const tier = tierOf(tiers, tokens, priceClass[request])
      const cached = cachedTokens(rule, tokens)
      return priceOf(tokens - cached, input[tier]) + priceOf(cached, cacheWrite[tier])
    },
    /** How much less it costs if it shares so many tokens with an earlier request. */
    saved: (tokens: Tokens, shared: Tokens): number =>
      priceOf(cachedTokens(rule, shared), savedByRead[tierOf(tiers, tokens, priceClass[request])]),
    /** True if a change costs nothing: nothing is read anyway, or it is the first request. */
    isChangeFree: () => rule.kind === 'none' || request === 0 || startsCold[request] === 1,
    isCold: () => startsCold[request] === 1,
    isReached,
    sharedWith,
    /** What the request shares with the one before, of so many tokens, if nothing of it changes before a message. */
    sharedUnchanged: (tokensBefore: Tokens, arrived: number): Tokens => {
      if (rule.kind === 'none' || startsCold[request] === 1) return 0
      if (request === 0) return session.warmTokens ?? 0
      const [end, unitEnd] = [ends[request - 1] as number, unitEnds[request - 1] as number]
      const answer = (prefixTokens[unitEnd] as Tokens) - (prefixTokens[end] as Tokens)
      const hasAnswer = isUnits && unitEnd <= arrived
      return sharedWith(request - 1, hasAnswer ? tokensBefore + answer : tokensBefore)
    },
    /** What is read before a change, of so many tokens before it, whatever is left of earlier requests. */
    sharedBefore: (upTo: Tokens): Tokens => {
      if (isBreakpoint) return headTokens
      return isUnits ? upTo - (upTo % interval) : Math.min(upTo, mostAfterChange)
    },
    /** The last request before this one that ends before a message; -1 if none does. */
    newestBefore: (message: number): number =>
      partitionPoint(0, request, (at) => (ends[at] as number) <= message) - 1,
  }
}
