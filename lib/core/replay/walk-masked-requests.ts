/**
 * Steps through the requests of a session, masks each with what was known when it was sent, and splits it by what it
 * shares with earlier ones. A group of results is masked in the requests of its spans (`masking-plan.ts`) that have moved
 * the window past its turn; only the second condition depends on the window. A step takes time for the groups that
 * change, not for all their results.
 */
import type { ToolResult } from '../conversation/conversation'
import { firstKeptTurn } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { type MaskedSpan, maskingPlan } from './masking-plan'
import { countResultsBefore, createPrefixSums } from './prefix-sums'
import type { PreparedReplay } from './prepare-replay'
import {
  blocksBefore,
  type CacheRule,
  type CacheSplit,
  type CacheView,
  sharedTokens,
  splitRequest,
} from './prompt-cache'
import { createRequestOrder } from './request-order'
import { type RequestTerms, requestTermsOf } from './request-terms'
import { headMessages, type SessionRequest, unitEndsOf } from './sessions'
import type { Tokens } from './units'

/** The part of a policy that says when a result is masked; a window of 0 masks nothing. */
export type MaskWindow = Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>

export interface MaskedRequests {
  /** Sets the window; returns the first request in which it masks results, or the number of requests if there is none. */
  readonly setWindow: (window: MaskWindow) => number
  /** Visits all requests from `start` on, which is at most the first one with masked results. */
  readonly walk: (
    visit: (request: number, tokens: Tokens, split: CacheSplit) => void,
    start?: number,
  ) => void
  /** Results that are masked in the visited request. */
  readonly maskedResults: () => number
  /** Index of the first message that masking sends differently than the request before did; undefined for the first one. */
  readonly firstChanged: () => number | undefined
  /** True if a result is masked in the visited request. */
  readonly isMasked: (result: number) => boolean
}

const NONE = -1

export function walkMaskedRequests(
  prepared: PreparedReplay,
  rule: CacheRule,
  { startsCold, lastCold }: RequestTerms = requestTermsOf(prepared.session.requests, rule),
): MaskedRequests {
  const { session, prefixTokens, tokensBefore, firstTriggered } = prepared
  const { conversation, requests } = session
  const requestCount = requests.length
  const plan = maskingPlan(prepared)
  const { spans, groupOf, positionOf, resultOfBit } = plan
  const messageOf = (result: number) => (conversation.results[result] as ToolResult).message
  const messageOfBit = resultOfBit.map(messageOf)
  const ends = requests.map(({ end }) => end)
  const tokens: Tokens[] = []
  const hasBlocks = rule.kind === 'breakpoint' && rule.lookBack?.unit === 'blocks'
  const blocks = hasBlocks ? blocksBefore(conversation) : []
  const unitEnds = unitEndsOf(session)
  const order = createRequestOrder(
    resultOfBit.length,
    plan.bitsSent,
    rule.kind === 'units' ? messageOfBit : undefined,
  )

  /** Sums of what is saved in the results before the last message at which a request can differ; no others are asked for. */
  const resultsBefore = countResultsBefore(conversation)
  const hasSums = rule.kind === 'prefix' || rule.kind === 'units'
  const summed = hasSums ? (resultsBefore[messageOfBit.at(-1) ?? 0] as number) : 0
  const savedBefore = createPrefixSums(summed)

  /** Linked lists of the spans that begin and end at each request: the first one by request, the next one by span. */
  const beginning = new Int32Array(requestCount)
  const nextBeginning = new Int32Array(spans.length)
  const ending = new Int32Array(requestCount + 1)
  const nextEnding = new Int32Array(spans.length)
  /** By group: the span in which it is now, and how many of its results are sent. */
  const spanOf = new Int32Array(prepared.groups.length)
  const sentOf = new Int32Array(prepared.groups.length)
  let [maskedResults, saved] = [0, 0]
  let visited = NONE

  const view: CacheView = {
    ends,
    tokens,
    headTokens: prefixTokens[headMessages(conversation)] as Tokens,
    longestShared: () => {
      const bit = order.firstDifference()
      return bit === NONE ? wholeTokens() : tokensUpTo(messageOfBit[bit] as number)
    },
    wholeRequest: () => (order.wholeRequest() === NONE ? undefined : order.wholeRequest()),
    longestUnit: () => {
      const whole = order.wholeRequest()
      const branch = order.lastBranch()
      const end = whole === NONE ? 0 : unitEndOf(whole)
      if (branch > end) return tokensUpTo(branch)
      if (whole === NONE) return 0
      return (
        wholeTokens() +
        (prefixTokens[end] as Tokens) -
        (prefixTokens[ends[whole] as number] as Tokens)
      )
    },
    blocksUpTo: (message) => blocks[message] ?? 0,
    startsCold: (request) => startsCold[request] === 1,
    warmTokens: session.warmTokens,
  }

  /** The cache has an answer as the model wrote it: with none of its results masked. */
  function unitEndOf(request: number): number {
    const end = unitEnds[request] as number
    const last = resultsBefore[end] as number
    for (let result = plan.sentResults[request] as number; result < last; result++)
      if (isMasked(result)) return ends[request] as number
    return end
  }

  /** Tokens of the request that the last one starts with. */
  function wholeTokens(): Tokens {
    return tokens[order.wholeRequest()] as Tokens
  }

  function tokensUpTo(message: number): Tokens {
    return (prefixTokens[message] as Tokens) - savedBefore.sumOf(resultsBefore[message] as number)
  }

  function isMasked(result: number): boolean {
    const masking = spans[spanOf[groupOf[result] as number] as number]?.masking
    return (masking?.placeholders[positionOf[result] as number] ?? 0) > 0
  }

  /** Masks the results of a span, or with -1 brings them back. */
  function change(index: number, sign: 1 | -1): void {
    const { group, groupIndex, masking } = spans[index] as MaskedSpan
    const sent = sentOf[groupIndex] as number
    spanOf[groupIndex] = sign === 1 ? index : NONE
    maskedResults += sign * (masking.maskedUpTo[sent] as number)
    saved += sign * (masking.savedUpTo[sent] as Tokens)
    for (const bit of masking.bits) order.flip(bit)
    const { results } = group
    for (let at = 0; at < sent && (results[at] as number) < summed; at++) {
      savedBefore.add(results[at] as number, sign * (masking.savedTokens[at] as Tokens))
    }
  }
  function send(result: number): void {
    const group = groupOf[result] as number
    if (group === NONE) return
    const position = positionOf[result] as number
    sentOf[group] = position + 1
    // An index of -1 would be looked up as a name.
    const span = spanOf[group] as number
    if (span === NONE) return
    const { masking } = spans[span] as MaskedSpan
    const savedTokens = masking.savedTokens[position] as Tokens
    maskedResults += (masking.placeholders[position] as number) > 0 ? 1 : 0
    saved += savedTokens
    savedBefore.add(result, savedTokens)
  }

  function setWindow(window: MaskWindow): number {
    beginning.fill(NONE)
    ending.fill(NONE)
    let firstMasked = requestCount
    let nextTurn = 0
    for (let request = firstTriggered; request < requestCount; request++) {
      if (window.windowTurns <= 0) break
      const firstKept = firstKeptTurn((requests[request] as SessionRequest).turnCount, window)
      for (; nextTurn < firstKept; nextTurn++) {
        const end = plan.startOfTurn[nextTurn + 1] as number
        for (let index = plan.startOfTurn[nextTurn] as number; index < end; index++) {
          const { from, until } = spans[index] as MaskedSpan
          // The spans of a turn that end last are first.
          if (until <= request) break
          const first = Math.max(request, from)
          firstMasked = Math.min(firstMasked, first)
          nextBeginning[index] = beginning[first] as number
          beginning[first] = index
          nextEnding[index] = ending[until] as number
          ending[until] = index
        }
      }
    }
    return firstMasked
  }

  function walk(visit: Parameters<MaskedRequests['walk']>[0], start = 0): void {
    order.restart(lastCold[start] as number, start)
    savedBefore.clear()
    spanOf.fill(NONE)
    sentOf.fill(0)
    let sentResults = 0
    maskedResults = 0
    saved = 0
    for (let request = 0; request < start; request++) {
      tokens[request] = tokensBefore[request] as Tokens
    }
    for (let request = start; request < requestCount; request++) {
      visited = request
      let index = ending[request] as number
      for (; index !== NONE; index = nextEnding[index] as number) change(index, -1)
      index = beginning[request] as number
      for (; index !== NONE; index = nextBeginning[index] as number) change(index, 1)
      const sent = plan.sentResults[request] as number
      for (; sentResults < sent; sentResults++) send(sentResults)
      if (startsCold[request] === 1) order.forget()
      order.add(request)
      const total = (tokensBefore[request] as Tokens) - saved
      tokens[request] = total
      visit(request, total, splitRequest(rule, total, sharedTokens(rule, view, request)))
    }
  }

  return {
    setWindow,
    walk,
    maskedResults: () => maskedResults,
    firstChanged: () => messageOfBit[order.firstChanged()] ?? ends[visited - 1],
    isMasked,
  }
}
