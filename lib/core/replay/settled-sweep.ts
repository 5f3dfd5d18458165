/**
 * Totals of a replay for many windows, fast, where no result changes its call (`MaskFacts.isSettled`).
 *
 * A result that is masked then stays masked: it is masked from the first request on that sends it, has moved the window
 * past its turn, has reached `triggerTokens`, and has K later results of its tool before it. Only the second depends on
 * the window. So, going through the requests once for each window:
 * - a request's tokens are those before masking less what the results masked so far save;
 * - against the request before, it changes first at the first result that was sent and is newly masked. No earlier
 *   request can share more: between any two, what has changed stays changed;
 * - an earlier request is unchanged from its beginning to its end unless something changed before its end since; once
 *   lost it is lost, so those that remain are a stack, and what is read is all of the last one.
 */
import { firstKeptTurn } from '../policy/decide'
import { addUse, emptyUses, type PriceBands } from './costs'
import type { MaskableLink, MaskFacts } from './mask-facts'
import { prefixSums } from './prefix-sums'
import { type CacheRule, isWithinLookBack, splitRequest } from './prompt-cache'
import { blocksBefore, headMessages, outputTokens, type ReplaySide, totalOf } from './replay'
import type { MaskWindow } from './request-states'
import type { SessionRequest } from './requests'
import type { Tokens } from './units'

const NOTHING_CHANGED = Number.POSITIVE_INFINITY

/** A function from windows to totals, equal to `replayTotal`; what no window changes is worked out once. */
export function settledTotals(
  facts: MaskFacts,
  rule: CacheRule,
  bands: PriceBands,
): (window: MaskWindow) => ReplaySide {
  const { session, tokensBefore, prefixTokens, firstTriggered } = facts
  const { requests, conversation } = session
  const outputs = outputTokens(session)
  const blocks = blocksBefore(conversation)
  const headTokens = prefixTokens[headMessages(conversation)] as Tokens
  const plan = maskingPlan(facts)
  const resultsBefore = countResultsBefore(facts)
  const savedBefore = prefixSums(conversation.results.length)
  const stack = new Int32Array(requests.length)
  const tokens = new Float64Array(requests.length)
  const due: number[][] = requests.map(() => [])

  return (window) => {
    const uses = emptyUses(bands)
    let nextTurn = 0
    let saved = 0
    let depth = 0
    savedBefore.clear()
    for (const results of due) results.length = 0

    for (let at = 0; at < requests.length; at++) {
      const request = requests[at] as SessionRequest
      const isOff = window.windowTurns <= 0 || at < firstTriggered
      const firstKept = isOff ? 0 : firstKeptTurn(request.turnCount, window)
      for (; nextTurn < firstKept; nextTurn++) {
        for (const result of plan.resultsOfTurn[nextTurn] ?? []) {
          due[Math.max(at, plan.earliest[result] as number)]?.push(result)
        }
      }
      let changed = NOTHING_CHANGED
      for (const result of due[at] as number[]) {
        const savedTokens = plan.savedTokens[result] as Tokens
        saved += savedTokens
        if (rule.kind === 'prefix') savedBefore.add(result, savedTokens)
        if ((plan.sentFrom[result] as number) < at) {
          changed = Math.min(changed, conversation.results[result]?.message as number)
        }
      }
      const total = (tokensBefore[at] as Tokens) - saved
      tokens[at] = total
      const shared = sharedTokens(at, changed)
      addUse(uses, bands, total, splitRequest(rule, total, shared), outputs[at] as Tokens)
      stack[depth++] = at
    }
    return totalOf(bands, uses)

    function sharedTokens(at: number, changed: number): Tokens {
      if (at === 0 || rule.kind === 'none') return 0
      if (rule.kind === 'prefix') {
        if (changed === NOTHING_CHANGED) return tokens[at - 1] as Tokens
        const count = resultsBefore[changed] as number
        return (prefixTokens[changed] as Tokens) - savedBefore.sumOf(count)
      }
      while (depth > 0 && endOf(stack[depth - 1] as number) > changed) depth--
      const head = rule.isHeadMarked ? headTokens : 0
      if (depth === 0) return head
      const last = stack[depth - 1] as number
      const blocksBack = (blocks[endOf(at)] as number) - (blocks[endOf(last)] as number)
      const isFound = isWithinLookBack(rule.lookBack, at - last, blocksBack)
      return isFound ? Math.max(head, tokens[last] as Tokens) : head
    }
  }

  function endOf(at: number): number {
    return (requests[at] as SessionRequest).end
  }
}

interface MaskingPlan {
  /** Results that are masked at some time, by turn. */
  readonly resultsOfTurn: readonly (readonly number[])[]
  /** By result: the first request that sends it, and the first at which it is masked once out of the window. */
  readonly sentFrom: Int32Array
  readonly earliest: Int32Array
  readonly savedTokens: Float64Array
}

function maskingPlan(facts: MaskFacts): MaskingPlan {
  const { session, links, keepLastKPerTool, firstTriggered } = facts
  const count = links.length
  const resultsOfTurn: number[][] = Array.from({ length: session.conversation.turnCount }, () => [])
  const sentFrom = new Int32Array(count)
  const earliest = new Int32Array(count)
  const savedTokens = new Float64Array(count)
  /** By tool: the requests from which on its results after this one are sent, nearest first. */
  const laterOfTool = new Map<string, number[]>()
  for (let result = count - 1; result >= 0; result--) {
    const link = links[result]?.[0] as MaskableLink | undefined
    if (link === undefined) continue
    let released = link.from
    if (keepLastKPerTool > 0 && link.toolName !== undefined) {
      const later = laterOfTool.get(link.toolName) ?? []
      laterOfTool.set(link.toolName, later)
      released = later[keepLastKPerTool - 1] ?? session.requests.length
      later.unshift(link.from)
      if (later.length > keepLastKPerTool) later.pop()
    }
    sentFrom[result] = link.from
    earliest[result] = Math.max(link.from, released, firstTriggered)
    savedTokens[result] = link.savedTokens
    if (link.placeholder > 0 && link.turn !== undefined) resultsOfTurn[link.turn]?.push(result)
  }
  return { resultsOfTurn, sentFrom, earliest, savedTokens }
}

/** By message index: results that stand in the messages before it. */
function countResultsBefore({ session }: MaskFacts): Int32Array {
  const { messages, results } = session.conversation
  const before = new Int32Array(messages.length + 1)
  for (const { message } of results) before[message + 1] = (before[message + 1] as number) + 1
  for (let index = 1; index < before.length; index++) {
    before[index] = (before[index] as number) + (before[index - 1] as number)
  }
  return before
}
