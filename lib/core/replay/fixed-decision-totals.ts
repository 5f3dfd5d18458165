/**
 * Computes the totals of many windows fast, for sessions in which a masked result stays masked
 * (`PreparedReplay.hasFixedDecisions`).
 *
 * A result is then masked from the first request that sends it, has moved the window past its turn, has reached
 * `triggerTokens`, and contains K later results of its tool. Only the second condition depends on the window. One pass
 * over the requests is therefore enough for each window:
 * - The tokens of a request are those before masking, less what the results masked so far save.
 * - The first difference from the previous request is the first result that was sent before and is newly masked. No
 *   earlier request can share more, since changes remain in all later requests.
 * - An earlier request is unchanged unless something before its end has changed since. A changed request never becomes
 *   unchanged again, so the unchanged ones form a stack, and the last one is read from the cache. Units are such a
 *   stack too.
 */
import { firstKeptTurn } from '../policy/decide'
import { priceTiers, type TokenSums } from './apply-prices'
import { countResultsBefore, createPrefixSums } from './prefix-sums'
import type { MaskableResult, PreparedReplay } from './prepare-replay'
import type { CacheRule } from './prompt-cache'
import { blocksBefore, type CostTerms, outputTokens, type ReplaySide, totalSide } from './replay'
import { requestTermsOf } from './request-terms'
import { headMessages } from './sessions'
import { unitEndsOf } from './shared-prefixes'
import type { Tokens } from './units'
import type { MaskWindow } from './walk-masked-requests'

const NONE = -1

/**
 * Returns a function that gives the total of a window, equal to `replayTotal`.
 * The inner loop runs half a million times for each sweep, so it uses flat arrays of numbers and creates no objects.
 */
export function fixedDecisionTotals(
  prepared: PreparedReplay,
  { prices, rule, variants }: CostTerms,
): (window: MaskWindow) => ReplaySide {
  const { session, prefixTokens, firstTriggered } = prepared
  const { conversation } = session
  const tiers = priceTiers(prices, variants)
  const { priceClass, startsCold } = requestTermsOf(session.requests, rule, variants)
  const requestCount = session.requests.length
  const ends = Int32Array.from(session.requests, ({ end }) => end)
  const turnCounts = Int32Array.from(session.requests, ({ turnCount }) => turnCount)
  const outputs = Float64Array.from(outputTokens(session))
  const before = Float64Array.from(prepared.tokensBefore)
  const prefixes = Float64Array.from(prefixTokens)
  const plan = maskingPlan(prepared)
  const messageOf = Int32Array.from(conversation.results, ({ message }) => message)
  const resultsBefore = countResultsBefore(conversation)
  const savedBefore = createPrefixSums(conversation.results.length)

  const isPrefix = rule.kind === 'prefix'
  const isBreakpoint = rule.kind === 'breakpoint'
  const isUnits = rule.kind === 'units'
  const minimum = rule.kind === 'none' ? Number.POSITIVE_INFINITY : rule.minimumTokens
  const step = rule.kind === 'none' || isUnits ? 1 : Math.max(1, rule.stepTokens)
  const interval = (isUnits && rule.intervalTokens) || Number.POSITIVE_INFINITY
  const unitEnds = Int32Array.from(unitEndsOf(session))
  const headTokens =
    isBreakpoint && rule.isHeadMarked ? (prefixes[headMessages(conversation)] as Tokens) : 0
  const reach = reachOf(rule, prepared)

  /** Linked lists of the results to mask at each request: the first one by request, the next one by result. */
  const due = new Int32Array(requestCount)
  const nextDue = new Int32Array(conversation.results.length)
  /** Unchanged requests, or by the rule `units` the messages of each unit. A request leaves up to three units. */
  const stack = new Int32Array(isUnits ? 3 * requestCount : requestCount)
  const tokens = new Float64Array(requestCount)
  const above = Float64Array.from(tiers.above)
  const tierCount = above.length + 1
  const [input, read, written, output] = Array.from(
    { length: 4 },
    () => new Float64Array(tierCount * tiers.sheets),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]

  return (window) => {
    for (const sums of [input, read, written, output]) sums.fill(0)
    due.fill(NONE)
    savedBefore.clear()
    let nextTurn = 0
    let saved = 0
    let depth = 0

    for (let request = 0; request < requestCount; request++) {
      const isOff = window.windowTurns <= 0 || request < firstTriggered
      const firstKept = isOff ? 0 : firstKeptTurn(turnCounts[request] as number, window)
      for (; nextTurn < firstKept; nextTurn++) {
        const end = plan.startOfTurn[nextTurn + 1] as number
        for (let index = plan.startOfTurn[nextTurn] as number; index < end; index++) {
          const result = plan.resultsByTurn[index] as number
          const from = Math.max(request, plan.earliest[result] as number)
          if (from >= requestCount) continue
          nextDue[result] = due[from] as number
          due[from] = result
        }
      }
      let changed = NONE
      for (
        let result = due[request] as number;
        result !== NONE;
        result = nextDue[result] as number
      ) {
        const savedTokens = plan.savedTokens[result] as Tokens
        saved += savedTokens
        if (isPrefix || isUnits) savedBefore.add(result, savedTokens)
        const message = messageOf[result] as number
        const isNew = (plan.sentFrom[result] as number) === request
        if (!isNew && (changed === NONE || message < changed)) changed = message
      }
      const total = (before[request] as Tokens) - saved
      tokens[request] = total
      let shared = 0
      const isCold = startsCold[request] === 1
      if (isCold) depth = 0
      if ((isPrefix || isUnits) && request > 0 && !isCold) {
        shared = changed === NONE ? (tokens[request - 1] as Tokens) : tokensUpTo(changed)
      }
      if (isUnits) {
        if (changed !== NONE) {
          while (depth > 0 && (stack[depth - 1] as number) > changed) depth--
        }
        const unit = depth === 0 ? 0 : (stack[depth - 1] as number)
        const atInterval = interval < shared ? shared - (shared % interval) : 0
        shared = unit === 0 ? atInterval : Math.max(tokensUpTo(unit), atInterval)
        if (changed > unit) stack[depth++] = changed
        stack[depth++] = ends[request] as number
        stack[depth++] = unitEnds[request] as number
      } else if (isBreakpoint && request > 0 && !isCold) {
        if (changed !== NONE) {
          while (depth > 0 && (ends[stack[depth - 1] as number] as number) > changed) depth--
        }
        const last = depth === 0 ? NONE : (stack[depth - 1] as number)
        const isFound =
          last !== NONE &&
          (reach.positions[request] as number) - (reach.positions[last] as number) <= reach.longest
        shared = isFound ? Math.max(headTokens, tokens[last] as Tokens) : headTokens
      }
      if (!isUnits) stack[depth++] = request
      if (request === 0 && rule.kind !== 'none') shared = session.warmTokens ?? 0

      let tier = 0
      while (tier < above.length && total > (above[tier] as Tokens)) tier++
      tier += (priceClass[request] as number) * tierCount
      // Division is much faster here than the remainder of two floats.
      const cached = step === 1 ? shared : Math.floor(shared / step) * step
      const reads = cached >= minimum ? cached : 0
      const cacheable = step === 1 ? total : Math.floor(total / step) * step
      input[tier] = (input[tier] as Tokens) + total
      read[tier] = (read[tier] as Tokens) + reads
      written[tier] = (written[tier] as Tokens) + (cacheable >= minimum ? cacheable : 0) - reads
      output[tier] = (output[tier] as Tokens) + (outputs[request] as Tokens)
    }
    return totalSide(
      tiers,
      Array.from(input, (_, tier) => tokenSums(tier)),
    )
  }

  function tokensUpTo(message: number): Tokens {
    return (prefixes[message] as Tokens) - savedBefore.sumOf(resultsBefore[message] as number)
  }

  function tokenSums(tier: number): TokenSums {
    const sums = {
      input: input[tier] as Tokens,
      read: read[tier] as Tokens,
      written: written[tier] as Tokens,
      output: output[tier] as Tokens,
    }
    return { ...sums, fresh: sums.input - sums.read - sums.written }
  }
}

/** Positions of the requests, in the unit of the look-back: a request finds those at most `longest` before its own. */
function reachOf(
  rule: CacheRule,
  { session }: PreparedReplay,
): { readonly positions: Int32Array; readonly longest: number } {
  const lookBack = rule.kind === 'breakpoint' ? rule.lookBack : undefined
  if (lookBack?.unit === 'blocks') {
    const blocks = blocksBefore(session.conversation)
    const positions = Int32Array.from(session.requests, ({ end }) => blocks[end] as number)
    // The look-back includes the last block of the request.
    return { positions, longest: lookBack.count - 1 }
  }
  const positions = Int32Array.from(session.requests, (_, index) => index)
  return { positions, longest: lookBack?.count ?? Number.POSITIVE_INFINITY }
}

interface MaskingPlan {
  /** Results that can be masked, by turn; those of turn n begin at `startOfTurn[n]`. */
  readonly resultsByTurn: Int32Array
  readonly startOfTurn: Int32Array
  /** By result: the first request that sends it, and the first at which it can be masked outside the window. */
  readonly sentFrom: Int32Array
  readonly earliest: Int32Array
  readonly savedTokens: Float64Array
}

function maskingPlan(prepared: PreparedReplay): MaskingPlan {
  const { session, links, keepLastKPerTool, firstTriggered } = prepared
  const count = links.length
  const resultsOfTurn: number[][] = Array.from({ length: session.conversation.turnCount }, () => [])
  const sentFrom = new Int32Array(count)
  const earliest = new Int32Array(count)
  const savedTokens = new Float64Array(count)
  /** By tool: the first requests of its later results, nearest first. */
  const laterOfTool = new Map<string, number[]>()
  for (let result = count - 1; result >= 0; result--) {
    const link = links[result]?.[0] as MaskableResult | undefined
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
  const startOfTurn = new Int32Array(resultsOfTurn.length + 1)
  for (const [turn, results] of resultsOfTurn.entries()) {
    startOfTurn[turn + 1] = (startOfTurn[turn] as number) + results.length
  }
  const resultsByTurn = Int32Array.from(resultsOfTurn.flat())
  return { resultsByTurn, startOfTurn, sentFrom, earliest, savedTokens }
}
