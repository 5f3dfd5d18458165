/**
 * Computes the sums of many windows fast, if a masked result stays masked in them (`MaskingPlan.fixedFrom`).
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
 *
 * Before a window and a batch have passed, nothing is masked. Such requests are the same for all windows: they are added
 * up once, and each pass begins after them.
 */
import { firstKeptTurn } from '../policy/decide'
import { partitionPoint } from '../text/span'
import { priceTiers, type TokenSums } from './apply-prices'
import { maskingPlan } from './masking-plan'
import { countResultsBefore, createPrefixSums } from './prefix-sums'
import type { PreparedReplay } from './prepare-replay'
import { blocksBefore, type CacheRule } from './prompt-cache'
import { type CostTerms, NO_WINDOW, outputTokens } from './replay'
import { requestTermsOf } from './request-terms'
import { headMessages, unitEndsOf } from './sessions'
import type { Tokens } from './units'
import type { MaskWindow } from './walk-masked-requests'

const NONE = -1

/**
 * Returns a function that gives the tokens of a window by price tier.
 * The inner loop runs half a million times for each sweep, so it uses flat arrays of numbers and creates no objects.
 */
export function fixedDecisionSums(
  prepared: PreparedReplay,
  { prices, rule, variants }: CostTerms,
): (window: MaskWindow) => TokenSums[] {
  const { session, prefixTokens, firstTriggered } = prepared
  const { conversation } = session
  const tiers = priceTiers(prices, variants)
  const { priceClass, startsCold, lastCold } = requestTermsOf(session.requests, rule, variants)
  const requestCount = session.requests.length
  const ends = Int32Array.from(session.requests, ({ end }) => end)
  const turnCounts = Int32Array.from(session.requests, ({ turnCount }) => turnCount)
  const outputs = Float64Array.from(outputTokens(session))
  const before = Float64Array.from(prepared.tokensBefore)
  const prefixes = Float64Array.from(prefixTokens)
  const plan = resultPlan(prepared)
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
  const leaves = isUnits ? 2 : 1
  /** What requests leave on the stack if nothing is masked: their indexes, or by the rule `units` the ends of units. */
  const unmasked = Int32Array.from({ length: leaves * requestCount }, (_, index) => {
    if (!isUnits) return index
    return (index % 2 === 0 ? ends : unitEnds)[index >> 1] as number
  })
  /** The stack, from `bottom` on; below `base` it is as in `unmasked`. A changed request leaves a third unit. */
  const stack = new Int32Array((leaves + 1) * requestCount)
  let [bottom, base, depth] = [0, 0, 0]
  const tokens = new Float64Array(requestCount)
  const above = Float64Array.from(tiers.above)
  const tierCount = above.length + 1
  const columns = tierCount * tiers.sheets
  const [input, read, written, output] = Array.from(
    { length: 4 },
    () => new Float64Array(columns),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]
  const sums = [input, read, written, output]
  /** By request: the sums of all requests before it if nothing is masked. */
  const sumsBefore = sums.map(() => new Float64Array(columns * (requestCount + 1)))
  pass(NO_WINDOW, 0, true)

  return (window) => {
    pass(window, firstMasked(window), false)
    return Array.from(input, (_, tier) => tokenSums(tier))
  }

  /** The first request in which a window can mask a result. */
  function firstMasked({ windowTurns, batchTurns }: MaskWindow): number {
    const turns = windowTurns + Math.max(1, batchTurns)
    const first = partitionPoint(0, requestCount, (index) => (turnCounts[index] as number) < turns)
    return Math.max(first, firstTriggered)
  }

  /** Adds up all requests. Those before `start` are as without masking. */
  function pass(window: MaskWindow, start: number, isRecorded: boolean): void {
    for (const [index, sum] of sums.entries()) {
      const known = sumsBefore[index] as Float64Array
      for (let column = 0; column < columns; column++)
        sum[column] = known[start * columns + column] as number
    }
    due.fill(NONE, start)
    if (isPrefix || isUnits) savedBefore.clear()
    bottom = leaves * (lastCold[start] as number)
    depth = leaves * start
    base = depth
    let nextTurn = 0
    let saved = 0

    for (let request = start; request < requestCount; request++) {
      const turnCount = turnCounts[request] as number
      const firstKept = window.windowTurns <= 0 ? 0 : firstKeptTurn(turnCount, window)
      for (; nextTurn < firstKept; nextTurn++) {
        const end = plan.startOfTurn[nextTurn + 1] as number
        for (let index = plan.startOfTurn[nextTurn] as number; index < end; index++) {
          const result = plan.resultsByTurn[index] as number
          const from = Math.max(request, plan.earliest[result] as number)
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
        // Of what was sent, a new one changes nothing; but a unit with the answer has it as the model wrote it.
        if (isNew) dropAfter(message)
        else if (changed === NONE || message < changed) changed = message
      }
      const total = (before[request] as Tokens) - saved
      tokens[request] = total
      if (startsCold[request] === 1) {
        bottom = depth
        // Nothing is left that it could differ from.
        changed = NONE
      }
      const shared = rule.kind === 'none' ? 0 : sharedWith(request, changed, start)
      if (isUnits) {
        if (changed > 0) stack[depth++] = changed
        stack[depth++] = ends[request] as number
        stack[depth++] = unitEnds[request] as number
      } else stack[depth++] = request

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
      if (isRecorded) {
        for (const [index, sum] of sums.entries())
          sumsBefore[index]?.set(sum, (request + 1) * columns)
      }
    }
  }

  function sharedWith(request: number, changed: number, start: number): Tokens {
    if (startsCold[request] === 1) return 0
    if (request === 0) return session.warmTokens ?? 0
    if (isPrefix) return changed === NONE ? sentTokens(request - 1, start) : tokensUpTo(changed)
    if (changed !== NONE) dropAfter(changed)
    if (depth === bottom) return isUnits ? atInterval(tokensUpTo(changed)) : headTokens
    const top = topOfStack()
    if (isUnits) {
      return Math.max(tokensUpTo(top), changed === NONE ? 0 : atInterval(tokensUpTo(changed)))
    }
    const distance = (reach.positions[request] as number) - (reach.positions[top] as number)
    return distance <= reach.longest ? Math.max(headTokens, sentTokens(top, start)) : headTokens
  }

  /** Drops from the stack what does not end before a changed message. */
  function dropAfter(message: number): void {
    const endOf = (entry: number) => (isUnits ? entry : (ends[entry] as number))
    const own = Math.max(base, bottom)
    while (depth > own && endOf(stack[depth - 1] as number) > message) depth--
    if (depth > base) return
    depth = partitionPoint(bottom, base, (index) => endOf(unmasked[index] as number) <= message)
    base = depth
  }

  function topOfStack(): number {
    return (depth <= base ? unmasked : stack)[depth - 1] as number
  }

  function sentTokens(request: number, start: number): Tokens {
    return (request < start ? before : tokens)[request] as Tokens
  }

  function atInterval(shared: Tokens): Tokens {
    return shared - (shared % interval)
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

interface ResultPlan {
  /** Results that can be masked, by turn; those of turn n begin at `startOfTurn[n]`. */
  readonly resultsByTurn: Int32Array
  readonly startOfTurn: Int32Array
  /** By result: the first request that sends it, and the first at which it can be masked outside the window. */
  readonly sentFrom: Int32Array
  readonly earliest: Int32Array
  readonly savedTokens: Float64Array
}

function resultPlan(prepared: PreparedReplay): ResultPlan {
  const { spans, sentResults } = maskingPlan(prepared)
  const { conversation, requests } = prepared.session
  const count = conversation.results.length
  const sentFrom = new Int32Array(count)
  for (const [request, sent] of sentResults.entries())
    sentFrom.fill(request, sentResults[request - 1] ?? 0, sent)
  const earliest = new Int32Array(count)
  const savedTokens = new Float64Array(count)
  const startOfTurn = new Int32Array(conversation.turnCount + 1)
  const resultsByTurn: number[] = []
  for (const { group, masking, turn, from, until } of spans) {
    if (until < requests.length) continue
    for (const [position, result] of group.results.entries()) {
      earliest[result] = Math.max(from, sentFrom[result] as number)
      savedTokens[result] = masking.savedTokens[position] as Tokens
      if (masking.placeholders[position]) resultsByTurn.push(result)
    }
    startOfTurn[turn + 1] = resultsByTurn.length
  }
  for (let turn = 1; turn < startOfTurn.length; turn++) {
    startOfTurn[turn] = Math.max(startOfTurn[turn] as number, startOfTurn[turn - 1] as number)
  }
  return {
    resultsByTurn: Int32Array.from(resultsByTurn),
    startOfTurn,
    sentFrom,
    earliest,
    savedTokens,
  }
}
