/**
 * What it costs to fetch lost results again. Each result with a lost use is fetched once, before the first answer that
 * needed it: one more request, which sends the masked context of that answer and the result. The context was just sent, so
 * it is read from the cache where the rule allows it; the result is new.
 */
import { addToGroup } from '../conversation/add-to-group'
import { keptTurnsOf } from '../replay/kept-turns'
import type { Masking, MaskWindow, PreparedReplay } from '../replay/prepare-replay'
import {
  addRequest,
  applyPrices,
  emptySums,
  priceTiers,
  type TokenSums,
} from '../replay/price-sheet'
import { splitRequest } from '../replay/prompt-cache'
import { type CostTerms, requestTermsOf } from '../replay/request-terms'
import { type LossesOfBatch, NOTHING_LOST } from '../replay/sweep'
import type { Tokens, Usd } from '../replay/units'
import { isLostAt, type LosableUse, lossCurve, lostUsesAt } from './lost-uses'
import OUTCOMES from './published-outcomes.json' with { type: 'json' }

/** The cost of fetching results again, beside the session's; undefined where a price is unknown. */
export interface RefetchCosts {
  readonly results: number
  readonly tokens: Tokens
  readonly plain: Usd | undefined
  readonly cached: Usd | undefined
}

/** Returns a function that gives the costs under a window: what the results that lose a use add to the session. */
export function refetchCosts(
  prepared: PreparedReplay,
  losable: readonly LosableUse[],
  terms: CostTerms,
): (window: MaskWindow) => RefetchCosts {
  const tiers = priceTiers(terms.prices, terms.variants)
  const sumsOf = refetchSums(prepared, losable, terms)
  return (window) => {
    const { results, tokens, sums } = sumsOf(window)
    const { plain, cached } = applyPrices(tiers, sums)
    return { results, tokens, plain, cached }
  }
}

/** What fetching lost results again adds to a session, before prices. */
interface RefetchSums extends Pick<RefetchCosts, 'results' | 'tokens'> {
  /** By price tier. */
  readonly sums: readonly TokenSums[]
}

/** Returns a function that gives the tokens of fetching results again under a window. */
export function refetchSums(
  prepared: PreparedReplay,
  losable: readonly LosableUse[],
  { prices, rule, variants }: CostTerms,
): (window: MaskWindow) => RefetchSums {
  const { session } = prepared
  const tiers = priceTiers(prices, variants)
  const { priceClass } = requestTermsOf(session.requests, rule, variants)
  const maskedTokens = maskedTokensOf(prepared)
  /** By result, in the order of the requests. */
  const usesOf = new Map<number, LosableUse[]>()
  for (const use of losable.toSorted((one, other) => one.request - other.request)) {
    addToGroup(usesOf, use.result, use)
  }
  return (window) => {
    const sums = emptySums(tiers)
    let results = 0
    let tokens = 0
    const isLost = isLostAt(window, prepared)
    for (const [result, uses] of usesOf) {
      const first = uses.find(isLost)
      if (first === undefined) continue
      const context = maskedTokens(first.request, window)
      const total = context + (session.counts.results[result] as Tokens)
      const split = splitRequest(rule, total, context)
      addRequest(sums, tiers, total, split, 0, priceClass[first.request])
      results++
      tokens += total
    }
    return { results, tokens, sums }
  }
}

/** A function that gives the tokens of a request after masking under a window. */
function maskedTokensOf(prepared: PreparedReplay) {
  const { session, maskings, fixedFrom, tokensBefore } = prepared
  const turns = session.conversation.turnCount
  /** By turn: what masking all turns before it saves. */
  const savedUpTo = (isMasked: (masking: Masking) => boolean): Float64Array => {
    const saved = new Float64Array(turns + 1)
    for (const masking of maskings) {
      const next = masking.turn + 1
      if (isMasked(masking)) saved[next] = (saved[next] as Tokens) + masking.savedTokens
    }
    for (let turn = 0; turn < turns; turn++)
      saved[turn + 1] = (saved[turn + 1] as Tokens) + (saved[turn] as Tokens)
    return saved
  }
  const saved = savedUpTo(() => true)
  /** By turn: the first request in which all results of the turns before it can be masked. */
  const from = new Float64Array(turns + 1)
  for (const masking of maskings) {
    const next = masking.turn + 1
    from[next] = Math.max(from[next] as number, masking.from)
  }
  for (let turn = 0; turn < turns; turn++)
    from[turn + 1] = Math.max(from[turn + 1] as number, from[turn] as number)
  /** Where results can be sent unmasked again, each request has sums of its own. */
  const savedByRequest = new Map<number, Float64Array>()
  const savedIn = (request: number): Float64Array => {
    const known =
      savedByRequest.get(request) ??
      savedUpTo((masking) => masking.from <= request && request < masking.until)
    savedByRequest.set(request, known)
    return known
  }
  const { requests } = session
  const hasBound = maskings.some(({ by }) => by < requests.length - 1)
  return (request: number, window: MaskWindow): Tokens => {
    const keptTurn = keptTurnsOf(prepared, window)
    if (hasBound) {
      const isMasked = ({ turn, from, until, by }: Masking) =>
        from <= request && request < until && turn < keptTurn(Math.min(request, by))
      const masked = maskings.filter(isMasked)
      const saved = masked.reduce((total, { savedTokens }) => total + savedTokens, 0)
      return (tokensBefore[request] as Tokens) - saved
    }
    const firstKept = keptTurn(request)
    const isSimple = fixedFrom === 1 && (from[firstKept] as number) <= request
    return (
      (tokensBefore[request] as Tokens) -
      ((isSimple ? saved : savedIn(request))[firstKept] as Tokens)
    )
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

/** Returns what each point of a sweep loses. */
export function pointLosses(
  prepared: PreparedReplay,
  losable: readonly LosableUse[],
  terms: CostTerms,
): LossesOfBatch {
  const refetchOf = refetchCosts(prepared, losable, terms)
  return (batchTurns, windows) => {
    const curve = batchTurns === 'auto' ? undefined : lossCurve(losable, batchTurns, windows)
    return (windowTurns) => {
      const uses =
        curve === undefined
          ? lostUsesAt(losable, { windowTurns, batchTurns }, prepared).length
          : (curve.uses[windowTurns - 1] as number)
      if (uses === 0) return NOTHING_LOST
      return { uses, ...refetchOf({ windowTurns, batchTurns }) }
    }
  }
}

/**
 * What masking did to agents, as published: SWE-agent on SWE-bench Verified with and without observation masking (the
 * last 10 observations kept), the same instances in both; arXiv 2508.21433, table of costs per instance of
 * github.com/JetBrains-Research/the-complexity-trap (MIT). Intervals are of 95 %, by resampling instances 4,000 times.
 */
export interface PublishedOutcome {
  readonly model: string
  readonly pairs: number
  readonly turnsBefore: number
  readonly turnsAfter: number
  /** Change of the share of solved instances, in points, and its interval. */
  readonly solvedPoints: number
  readonly solvedLow: number
  readonly solvedHigh: number
}

export const PUBLISHED_OUTCOMES: readonly PublishedOutcome[] = OUTCOMES

/** The worst published rise in turns, as a factor: about 1.15. */
export const WORST_TURNS = Math.max(
  ...PUBLISHED_OUTCOMES.map(({ turnsBefore, turnsAfter }) => turnsAfter / turnsBefore),
)
