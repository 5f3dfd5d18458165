import type { Conversation } from '../conversation/conversation'
import type { MaskPolicy } from '../policy/policy'
import {
  addRequest,
  applyPrices,
  type Costs,
  emptySums,
  type PriceTiers,
  priceTiers,
  type TokenSums,
} from './apply-prices'
import type { ReplaySources } from './decide-request'
import { countResultsBefore, createPrefixSums } from './prefix-sums'
import { type PreparedReplay, prepareReplay } from './prepare-replay'
import type { PriceSheet } from './price-sheet'
import { type CacheRule, type CacheSplit, splitSession } from './prompt-cache'
import { type PriceVariant, requestTermsOf } from './request-terms'
import { answerEnd, headMessages, type Session, type SessionRequest } from './sessions'
import { trackSharedPrefixes } from './shared-prefixes'
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
      maskedResults: after.masked[index]?.maskedResults ?? 0,
      firstChanged: after.masked[index]?.firstChanged,
    })),
    outputTokens: outputs.reduce((total, tokens) => total + tokens, 0),
    before: before.total,
    after: after.total,
  }
}

/** The total of a session under one window: one point of a sweep. */
export function replayTotal(
  prepared: PreparedReplay,
  window: MaskWindow,
  terms: CostTerms,
): ReplaySide {
  return replaySide(prepared, window, terms).total
}

/** Tokens of the answer to each request, including the overhead of its messages; those charged where they are known. */
export function outputTokens(session: Session): Tokens[] {
  const { requests, counts, chargedOutputs } = session
  return requests.map(({ answer }, index) => {
    const charged = chargedOutputs?.[index]
    if (charged !== undefined) return charged
    if (answer === undefined) return 0
    const messages = counts.messages.slice(answer, answerEnd(session, index))
    return messages.reduce((total, tokens) => total + tokens, 0)
  })
}

interface SideReplay {
  readonly masked: readonly MaskedRequest[]
  readonly sides: readonly ReplaySide[]
  readonly total: ReplaySide
}

function replaySide(
  prepared: PreparedReplay,
  window: MaskWindow,
  { prices, rule, variants }: CostTerms,
): SideReplay {
  const { conversation, requests } = prepared.session
  const { priceClass, startsCold } = requestTermsOf(requests, rule, variants)
  const isCold = (request: number) => startsCold[request] === 1
  const masked = maskRequests(prepared, window, isCold)
  const blocks = blocksBefore(conversation)
  const splits = splitSession(rule, {
    ends: requests.map(({ end }) => end),
    tokens: masked.map(({ tokens }) => tokens),
    headTokens: prepared.prefixTokens[headMessages(conversation)] as Tokens,
    longestShared: (index) => masked[index]?.longestShared ?? 0,
    wholeRequest: (index) => masked[index]?.wholeRequest,
    longestUnit: (index) => masked[index]?.longestUnit ?? 0,
    blocksUpTo: (message) => blocks[message] as number,
    startsCold: isCold,
    warmTokens: prepared.session.warmTokens,
  })
  const outputs = outputTokens(prepared.session)
  const tiers = priceTiers(prices, variants)
  const all = emptySums(tiers)
  const sides = masked.map(({ tokens }, index): ReplaySide => {
    const split = splits[index] as CacheSplit
    const output = outputs[index] as Tokens
    const one = emptySums(tiers)
    addRequest(one, tiers, tokens, split, output, priceClass[index])
    addRequest(all, tiers, tokens, split, output, priceClass[index])
    return { tokens, split, costs: applyPrices(tiers, one) }
  })
  return { masked, sides, total: totalSide(tiers, all) }
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

/** One request after masking, and what it shares with earlier ones. */
interface MaskedRequest {
  readonly tokens: Tokens
  readonly maskedResults: number
  readonly firstChanged: number | undefined
  readonly longestShared: Tokens
  readonly longestUnit: Tokens
  readonly wholeRequest: number | undefined
}

function maskRequests(
  prepared: PreparedReplay,
  window: MaskWindow,
  isCold: (request: number) => boolean,
): MaskedRequest[] {
  const { session, prefixTokens, tokensBefore } = prepared
  const resultsBefore = countResultsBefore(session.conversation)
  const resultCount = session.conversation.results.length
  const saved = createPrefixSums(resultCount)
  const savedOf = new Float64Array(resultCount)
  const step = walkMaskedRequests(prepared, window)
  const findShared = trackSharedPrefixes(prepared, isCold)
  const tokensUpTo = (message: number): Tokens =>
    (prefixTokens[message] as Tokens) - saved.sumOf(resultsBefore[message] as number)
  return session.requests.map((_, index): MaskedRequest => {
    const state = step(index)
    for (const result of state.changed) {
      const tokens = state.savedTokens[result] as Tokens
      saved.add(result, tokens - (savedOf[result] as Tokens))
      savedOf[result] = tokens
    }
    const { withPrevious, longest, wholeRequest, unit } = findShared(index, state)
    return {
      tokens: (tokensBefore[index] as Tokens) - state.totalSaved,
      maskedResults: state.maskedResults,
      firstChanged: withPrevious,
      longestShared: tokensUpTo(longest),
      longestUnit: unit === 0 ? 0 : tokensUpTo(unit),
      wholeRequest,
    }
  })
}

/**
 * Number of content blocks before each message, and before the end, as Anthropic counts them for a look-back: the calls
 * of a message are one block, and so are the results of successive messages.
 */
export function blocksBefore({
  messages,
  calls,
  results,
}: Pick<Conversation, 'messages' | 'calls' | 'results'>): number[] {
  const callers = new Set(calls.map(({ message }) => message))
  const answerers = new Set(results.map(({ message }) => message))
  const blocks = [0]
  let isAfterResults = false
  for (const [index, { role, contents, reasoning, nonTextParts }] of messages.entries()) {
    const hasResults = answerers.has(index)
    const texts = hasResults && role === 'tool' ? 0 : contents.length
    // Images in a message with results are parts of them.
    const parts = texts + reasoning.length + (hasResults ? 0 : nonTextParts)
    const run = hasResults && !isAfterResults ? 1 : 0
    const own = parts + run + (callers.has(index) ? 1 : 0)
    const isRunOnly = hasResults && parts === 0
    blocks.push((blocks.at(-1) as number) + (isRunOnly ? own : Math.max(1, own)))
    isAfterResults = isRunOnly
  }
  return blocks
}
