import type { Conversation } from '../conversation/conversation'
import type { MaskPolicy } from '../policy/policy'
import { addUse, type Costs, costsOf, emptyUses, type PriceBands, priceBands } from './costs'
import type { ReplaySources } from './decide-request'
import { type MaskFacts, maskFacts } from './mask-facts'
import type { PriceSheet } from './price-sheet'
import { type CacheRule, type CacheSplit, type CacheView, splitSession } from './prompt-cache'
import {
  type MaskWindow,
  type RequestState,
  requestStates,
  sharedMessages,
  tokensUpTo,
} from './request-states'
import type { Session, SessionRequest } from './requests'
import type { Tokens, Usd } from './units'

/** What requests are paid by. */
export interface CostTerms {
  readonly prices: PriceSheet
  readonly rule: CacheRule
}

/** One request, or all of them, on one side of masking. */
export interface ReplaySide {
  /** Input tokens. */
  readonly tokens: Tokens
  /** The same tokens by what the cache does with them. */
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
  /** After masking, index of the first message that is not as in the request before; undefined for the first request. */
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
 * Replays a session under a policy: every request masked by what was known when it was sent.
 * Total costs are of the total tokens; they equal the sum over the requests up to rounding.
 */
export function replay(
  session: Session,
  policy: MaskPolicy,
  sources: ReplaySources,
  terms: CostTerms,
): Replay {
  const facts = maskFacts(session, policy, sources)
  return replayFacts(facts, policy.enabled ? policy : OFF, terms)
}

const OFF: MaskWindow = { windowTurns: 0, batchTurns: 1 }

/** The side without masking: the same for every window, so whoever replays many plays it once. */
export type PlayedBefore = Pick<PlayedSide, 'sides' | 'total'>

export function playBefore(facts: MaskFacts, terms: CostTerms): PlayedBefore {
  return playSide(facts, OFF, terms.rule, priceBands(terms.prices), outputTokens(facts.session))
}

/** The replay of one window over facts that any number of windows share. */
export function replayFacts(
  facts: MaskFacts,
  window: MaskWindow,
  terms: CostTerms,
  before: PlayedBefore = playBefore(facts, terms),
): Replay {
  const bands = priceBands(terms.prices)
  const outputs = outputTokens(facts.session)
  const after = playSide(facts, window, terms.rule, bands, outputs)
  return {
    requests: facts.session.requests.map((request, at) => ({
      request,
      outputTokens: outputs[at] as Tokens,
      before: before.sides[at] as ReplaySide,
      after: after.sides[at] as ReplaySide,
      maskedResults: (after.states[at] as RequestState).maskedResults,
      firstChanged: firstChanged(facts, after.states, at),
    })),
    outputTokens: outputs.reduce((total, tokens) => total + tokens, 0),
    before: before.total,
    after: after.total,
  }
}

/** The total of one side alone: what a point of a sweep is. */
export function replayTotal(facts: MaskFacts, window: MaskWindow, terms: CostTerms): ReplaySide {
  const outputs = outputTokens(facts.session)
  return playSide(facts, window, terms.rule, priceBands(terms.prices), outputs).total
}

/** Tokens of the answer of each request, the message's own overhead included. */
export function outputTokens({ requests, counts }: Session): Tokens[] {
  return requests.map(({ answer }) => (answer === undefined ? 0 : (counts.messages[answer] ?? 0)))
}

interface PlayedSide {
  readonly states: readonly RequestState[]
  readonly sides: readonly ReplaySide[]
  readonly total: ReplaySide
}

function playSide(
  facts: MaskFacts,
  window: MaskWindow,
  rule: CacheRule,
  bands: PriceBands,
  outputs: readonly Tokens[],
): PlayedSide {
  const states = requestStates(facts, window)
  const splits = splitSession(rule, cacheView(facts, states))
  const all = emptyUses(bands)
  const sides = states.map(({ tokens }, at): ReplaySide => {
    const split = splits[at] as CacheSplit
    const output = outputs[at] as Tokens
    const own = emptyUses(bands)
    addUse(own, bands, tokens, split, output)
    addUse(all, bands, tokens, split, output)
    return { tokens, split, costs: costsOf(bands, own) }
  })
  return { states, sides, total: totalOf(bands, all) }
}

/** The side that uses add up to. */
export function totalOf(bands: PriceBands, uses: ReturnType<typeof emptyUses>): ReplaySide {
  const sum = (of: 'input' | 'read' | 'written' | 'fresh') =>
    uses.reduce((total, use) => total + use[of], 0)
  return {
    tokens: sum('input'),
    split: { read: sum('read'), written: sum('written'), fresh: sum('fresh') },
    costs: costsOf(bands, uses),
  }
}

/** Sides together; a cost that one of them does not know is unknown. */
export function sumSides(sides: readonly (ReplaySide | undefined)[]): ReplaySide {
  const known = sides.filter((side) => side !== undefined)
  const tokens = (of: (side: ReplaySide) => Tokens) =>
    known.reduce((total, side) => total + of(side), 0)
  const usd = (of: (costs: Costs) => Usd | undefined) =>
    known.reduce<Usd | undefined>((total, { costs }) => {
      const own = of(costs)
      return total === undefined || own === undefined ? undefined : total + own
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

function cacheView(facts: MaskFacts, states: readonly RequestState[]): CacheView {
  const { conversation } = facts.session
  const state = (at: number) => states[at] as RequestState
  const blocks = blocksBefore(conversation)
  return {
    ends: states.map(({ request }) => request.end),
    tokens: states.map(({ tokens }) => tokens),
    headTokens: facts.prefixTokens[headMessages(conversation)] as Tokens,
    sharedMessages: (earlier, later) => sharedMessages(facts, state(earlier), state(later)),
    tokensUpTo: (at, message) => tokensUpTo(facts, state(at), message),
    blocksUpTo: (message) => blocks[message] as number,
  }
}

function firstChanged(
  facts: MaskFacts,
  states: readonly RequestState[],
  at: number,
): number | undefined {
  const [before, own] = [states[at - 1], states[at]]
  return before && own && sharedMessages(facts, before, own)
}

/** Leading system messages: the part of a request, after the tool schemas, that never changes. */
export function headMessages({ messages }: Pick<Conversation, 'messages'>): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first === -1 ? messages.length : first
}

/** By message index, and once for the end: blocks of the messages before it. A message is one block, or one for each call. */
export function blocksBefore({
  messages,
  calls,
}: Pick<Conversation, 'messages' | 'calls'>): number[] {
  const callsOf = new Array<number>(messages.length).fill(0)
  for (const { message } of calls) callsOf[message] = (callsOf[message] ?? 0) + 1
  const blocks = [0]
  for (const count of callsOf) blocks.push((blocks.at(-1) as number) + Math.max(1, count))
  return blocks
}
