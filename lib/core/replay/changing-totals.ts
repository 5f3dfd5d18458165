/**
 * Computes the totals of many windows for sessions in which a masked result can come back, because call ids repeat.
 *
 * A result is masked in the requests of its spans (`masking-plan.ts`) that have moved the window past its turn. Only the
 * second condition depends on the window, so one pass over the requests is enough for each. Any earlier request can share
 * most with a request, so they are kept in order. The rule `units` would need more than that and is not computed here.
 */
import { firstKeptTurn } from '../policy/decide'
import { addRequest, emptySums, priceTiers } from './apply-prices'
import { maskingPlan } from './masking-plan'
import { countResultsBefore, createPrefixSums } from './prefix-sums'
import type { PreparedReplay } from './prepare-replay'
import { type CacheView, sharedTokens, splitRequest } from './prompt-cache'
import { blocksBefore, type CostTerms, outputTokens, type ReplaySide, totalSide } from './replay'
import { createRequestOrder } from './request-order'
import { requestTermsOf } from './request-terms'
import { headMessages, type SessionRequest } from './sessions'
import type { Tokens } from './units'
import type { MaskWindow } from './walk-masked-requests'

const NONE = -1

/** Returns a function that gives the total of a window, equal to `replayTotal`. */
export function changingTotals(
  prepared: PreparedReplay,
  { prices, rule, variants }: CostTerms,
): (window: MaskWindow) => ReplaySide {
  const { session, prefixTokens, tokensBefore, firstTriggered } = prepared
  const { conversation, requests } = session
  const requestCount = requests.length
  const tiers = priceTiers(prices, variants)
  const { priceClass, startsCold } = requestTermsOf(requests, rule, variants)
  const outputs = outputTokens(session)
  const blocks = blocksBefore(conversation)
  const plan = maskingPlan(prepared)
  const resultsBefore = countResultsBefore(conversation)
  const savedBefore = createPrefixSums(conversation.results.length)

  /** Linked lists of the spans that begin and end at each request: the first one by request, the next one by span. */
  const beginning = new Int32Array(requestCount)
  const nextBeginning = new Int32Array(plan.result.length)
  const ending = new Int32Array(requestCount)
  const nextEnding = new Int32Array(plan.result.length)
  /** The bits of all requests, and of the current one. */
  const wordCount = Math.ceil(plan.resultOfBit.length / 32)
  const allWords = new Int32Array(requestCount * wordCount)
  const words = new Int32Array(wordCount)
  const order = createRequestOrder(allWords, wordCount, plan.bitsSent)
  const tokens = new Array<Tokens>(requestCount).fill(0)
  const ends = requests.map(({ end }) => end)
  const view: CacheView = {
    ends,
    tokens,
    headTokens: prefixTokens[headMessages(conversation)] as Tokens,
    longestShared: () => {
      const message = longestInOrder()
      const saved = savedBefore.sumOf(resultsBefore[message] as number)
      return (prefixTokens[message] as Tokens) - saved
    },
    wholeRequest: () => {
      const whole = order.wholeRequest()
      return whole === NONE ? undefined : whole
    },
    longestUnit: () => 0,
    blocksUpTo: (message) => blocks[message] as number,
    startsCold: (request) => startsCold[request] === 1,
    warmTokens: session.warmTokens,
  }

  let unmasked: ReplaySide | undefined
  return (window) => {
    if (canMask(window)) return pass(window)
    unmasked ??= pass(window)
    return unmasked
  }

  function canMask(window: MaskWindow): boolean {
    if (window.windowTurns <= 0) return false
    let nextTurn = 0
    for (let request = firstTriggered; request < requestCount; request++) {
      const firstKept = firstKeptTurn((requests[request] as SessionRequest).turnCount, window)
      for (; nextTurn < firstKept; nextTurn++) {
        const span = plan.startOfTurn[nextTurn] as number
        const isEmpty = span === plan.startOfTurn[nextTurn + 1]
        if (!isEmpty && (plan.until[span] as number) > request) return true
      }
    }
    return false
  }

  function pass(window: MaskWindow): ReplaySide {
    const sums = emptySums(tiers)
    beginning.fill(NONE)
    ending.fill(NONE)
    words.fill(0)
    savedBefore.clear()
    order.clear()
    let nextTurn = 0
    let saved = 0

    for (let request = 0; request < requestCount; request++) {
      const isOff = window.windowTurns <= 0 || request < firstTriggered
      const { turnCount } = requests[request] as SessionRequest
      const firstKept = isOff ? 0 : firstKeptTurn(turnCount, window)
      for (; nextTurn < firstKept; nextTurn++) {
        const end = plan.startOfTurn[nextTurn + 1] as number
        for (let span = plan.startOfTurn[nextTurn] as number; span < end; span++) {
          // The spans of a turn that end last are first.
          if ((plan.until[span] as number) <= request) break
          const from = Math.max(request, plan.from[span] as number)
          nextBeginning[span] = beginning[from] as number
          beginning[from] = span
        }
      }
      for (let span = ending[request] as number; span !== NONE; span = nextEnding[span] as number) {
        saved -= change(span, -1)
      }
      for (
        let span = beginning[request] as number;
        span !== NONE;
        span = nextBeginning[span] as number
      ) {
        saved += change(span, 1)
        const until = plan.until[span] as number
        if (until === requestCount) continue
        nextEnding[span] = ending[until] as number
        ending[until] = span
      }
      if (startsCold[request] === 1) order.clear()
      for (let word = 0; word < wordCount; word++) {
        allWords[request * wordCount + word] = words[word] as number
      }
      order.add(request)
      const total = (tokensBefore[request] as Tokens) - saved
      tokens[request] = total
      const split = splitRequest(rule, total, sharedTokens(rule, view, request))
      addRequest(sums, tiers, total, split, outputs[request] as Tokens, priceClass[request])
    }
    return totalSide(tiers, sums)
  }

  /** Masks the result of a span, or with -1 brings it back; returns the tokens that its placeholder saves. */
  function change(span: number, sign: 1 | -1): Tokens {
    const bit = plan.bit[span] as number
    words[bit >>> 5] = (words[bit >>> 5] as number) ^ (1 << (31 - (bit & 31)))
    const savedTokens = plan.savedTokens[span] as Tokens
    if (rule.kind === 'prefix') savedBefore.add(plan.result[span] as number, sign * savedTokens)
    return savedTokens
  }

  /** Most messages that the last request in order shares with an earlier one. */
  function longestInOrder(): number {
    const whole = order.wholeRequest()
    const result = plan.resultOfBit[order.firstDifference()]
    return Math.max(
      whole === NONE ? 0 : (ends[whole] as number),
      result === undefined ? 0 : (conversation.results[result]?.message ?? 0),
    )
  }
}
