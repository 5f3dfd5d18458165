import type { MaskPolicy } from '../policy/policy'
import {
  addRequest,
  applyPrices,
  type Costs,
  emptySums,
  type PriceTiers,
  priceTiers,
  requestCosts,
  type TokenSums,
  tierOf,
} from './apply-prices'
import type { ReplaySources } from './decide-request'
import { type PreparedReplay, prepareReplay } from './prepare-replay'
import type { PriceSheet } from './price-sheet'
import type { CacheRule, CacheSplit } from './prompt-cache'
import { type PriceVariant, requestTermsOf } from './request-terms'
import { answerEnd, type Session, type SessionRequest } from './sessions'
import type { Tokens, Usd } from './units'
import { type MaskWindow, walkMaskedRequests } from './walk-masked-requests'

/** The prices and the cache rule that costs are computed with. */
export interface CostTerms {
  readonly prices: PriceSheet
  readonly rule: CacheRule
  /** Prices of the requests whose usage names another model or one-hour writes. */
  readonly variants?: readonly PriceVariant[]
}

/** One request, or all requests together, either before or after masking. */
export interface ReplaySide {
  /** Input tokens. */
  readonly tokens: Tokens
  /** The same tokens, split by how the cache treats them. */
  readonly split: CacheSplit
  readonly costs: Costs
}

export interface ReplayedRequest {
  readonly request: SessionRequest
  /** Tokens of the answer, the same on both sides; 0 for the open request. */
  readonly outputTokens: Tokens
  readonly before: ReplaySide
  readonly after: ReplaySide
  readonly maskedResults: number
  /** Index of the first message that masking sends differently than the previous request did; undefined for the first request. */
  readonly firstChanged: number | undefined
}

/** All requests of a session before and after masking, request by request and in total. */
export interface Replay {
  readonly requests: readonly ReplayedRequest[]
  readonly outputTokens: Tokens
  readonly before: ReplaySide
  readonly after: ReplaySide
}

/**
 * Replays a session under a policy. Each request is masked by what was known when it was sent.
 * Total costs are computed from total tokens; they equal the sum over the requests up to rounding.
 */
export function replay(
  session: Session,
  policy: MaskPolicy,
  sources: ReplaySources,
  terms: CostTerms,
): Replay {
  const prepared = prepareReplay(session, policy, sources)
  return replayPrepared(prepared, policy.enabled ? policy : NO_WINDOW, terms)
}

/** A window that masks nothing. */
export const NO_WINDOW: MaskWindow = { windowTurns: 0, batchTurns: 1 }

/** A session without masking. It is the same for every window, so callers that replay many compute it once. */
export type UnmaskedReplay = Pick<SideReplay, 'sides' | 'total'>

export function replayUnmasked(prepared: PreparedReplay, terms: CostTerms): UnmaskedReplay {
  return replaySide(prepared, NO_WINDOW, terms)
}

/** Replays a prepared session under one window. */
export function replayPrepared(
  prepared: PreparedReplay,
  window: MaskWindow,
  terms: CostTerms,
  before: UnmaskedReplay = replayUnmasked(prepared, terms),
): Replay {
  const outputs = outputTokens(prepared.session)
  const after = replaySide(prepared, window, terms)
  return {
    requests: prepared.session.requests.map((request, index) => ({
      request,
      outputTokens: outputs[index] as Tokens,
      before: before.sides[index] as ReplaySide,
      after: after.sides[index] as ReplaySide,
      maskedResults: after.maskedResults[index] as number,
      firstChanged: after.firstChanged[index],
    })),
    outputTokens: outputs.reduce((total, tokens) => total + tokens, 0),
    before: before.total,
    after: after.total,
  }
}

interface SideReplay {
  /** By request. */
  readonly sides: readonly ReplaySide[]
  readonly maskedResults: readonly number[]
  readonly firstChanged: readonly (number | undefined)[]
  readonly total: ReplaySide
}

function replaySide(
  prepared: PreparedReplay,
  window: MaskWindow,
  { prices, rule, variants }: CostTerms,
): SideReplay {
  const { requests } = prepared.session
  const requestTerms = requestTermsOf(requests, rule, variants)
  const outputs = outputTokens(prepared.session)
  const tiers = priceTiers(prices, variants)
  const all = emptySums(tiers)
  const masked = walkMaskedRequests(prepared, rule, requestTerms)
  const sides: ReplaySide[] = []
  const maskedResults: number[] = []
  const firstChanged: (number | undefined)[] = []
  masked.setWindow(window)
  masked.walk((request, tokens, split) => {
    const output = outputs[request] as Tokens
    addRequest(all, tiers, tokens, split, output, requestTerms.priceClass[request])
    const tier = tierOf(tiers, tokens, requestTerms.priceClass[request])
    sides.push({ tokens, split, costs: requestCosts(tiers, tier, tokens, split, output) })
    maskedResults.push(masked.maskedResults())
    firstChanged.push(masked.firstChanged())
  })
  return { sides, maskedResults, firstChanged, total: totalSide(tiers, all) }
}

/** The total of a session under one window: one point of a sweep. */
export function replayTotal(
  prepared: PreparedReplay,
  window: MaskWindow,
  terms: CostTerms,
): ReplaySide {
  const sums = replaySums(prepared, terms)(window)
  return totalSide(priceTiers(terms.prices, terms.variants), sums)
}

/** Returns a function that gives the tokens under a window by price tier. */
export function replaySums(
  prepared: PreparedReplay,
  { prices, rule, variants }: CostTerms,
): (window: MaskWindow) => readonly TokenSums[] {
  const { requests } = prepared.session
  const requestTerms = requestTermsOf(requests, rule, variants)
  const outputs = outputTokens(prepared.session)
  const tiers = priceTiers(prices, variants)
  const masked = walkMaskedRequests(prepared, rule, requestTerms)
  /** By request: the sums of all requests before it if nothing is masked, as far as a window needed them. */
  const sumsBefore = [emptySums(tiers)]
  return (window) => {
    const firstMasked = masked.setWindow(window)
    const start = Math.min(firstMasked, sumsBefore.length - 1)
    const sums = copySums(sumsBefore[start] as TokenSums[])
    masked.walk((request, tokens, split) => {
      addRequest(
        sums,
        tiers,
        tokens,
        split,
        outputs[request] as Tokens,
        requestTerms.priceClass[request],
      )
      if (request < firstMasked) sumsBefore.push(copySums(sums))
    }, start)
    return sums
  }
}

function copySums(sums: readonly TokenSums[]): TokenSums[] {
  return sums.map((sum) => ({ ...sum }))
}

/** Tokens of the answer to each request, including the overhead of its messages; those charged where they are known. */
export function outputTokens(session: Session): Tokens[] {
  const { requests, counts, chargedOutputs } = session
  return requests.map(({ answer }, index) => {
    const charged = chargedOutputs?.[index]
    if (charged !== undefined) return charged
    let tokens = 0
    const end = answer === undefined ? 0 : answerEnd(session, index)
    for (let message = answer ?? 0; message < end; message++)
      tokens += counts.messages[message] as Tokens
    return tokens
  })
}

/** The side of all requests whose tokens are summed by tier. */
export function totalSide(tiers: PriceTiers, sums: readonly TokenSums[]): ReplaySide {
  const sum = (of: 'input' | 'read' | 'written' | 'fresh') =>
    sums.reduce((total, tokens) => total + tokens[of], 0)
  return {
    tokens: sum('input'),
    split: { read: sum('read'), written: sum('written'), fresh: sum('fresh') },
    costs: applyPrices(tiers, sums),
  }
}

/** The sum of sides. A cost that is unknown for one of them is unknown for the sum. */
export function sumSides(sides: readonly (ReplaySide | undefined)[]): ReplaySide {
  const known = sides.filter((side) => side !== undefined)
  const tokens = (of: (side: ReplaySide) => Tokens) =>
    known.reduce((total, side) => total + of(side), 0)
  const usd = (of: (costs: Costs) => Usd | undefined) =>
    known.reduce<Usd | undefined>((total, { costs }) => {
      const cost = of(costs)
      return total === undefined || cost === undefined ? undefined : total + cost
    }, 0)
  return {
    tokens: tokens((side) => side.tokens),
    split: {
      read: tokens(({ split }) => split.read),
      written: tokens(({ split }) => split.written),
      fresh: tokens(({ split }) => split.fresh),
    },
    costs: {
      plain: usd(({ plain }) => plain),
      cached: usd(({ cached }) => cached),
      output: usd(({ output }) => output),
    },
  }
}
