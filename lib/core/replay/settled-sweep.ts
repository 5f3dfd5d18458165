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
import type { PriceBands, TokenUse } from './costs'
import type { MaskableLink, MaskFacts } from './mask-facts'
import { prefixSums } from './prefix-sums'
import type { CacheRule } from './prompt-cache'
import { blocksBefore, headMessages, outputTokens, type ReplaySide, totalOf } from './replay'
import type { MaskWindow } from './request-states'
import type { Tokens } from './units'

const NONE = -1

/**
 * A function from windows to totals, equal to `replayTotal`; what no window changes is worked out once.
 * Flat arrays of numbers and no objects inside the loop: it runs half a million times a sweep.
 */
export function settledTotals(
  facts: MaskFacts,
  rule: CacheRule,
  bands: PriceBands,
): (window: MaskWindow) => ReplaySide {
  const { session, prefixTokens, firstTriggered } = facts
  const { conversation } = session
  const requestCount = session.requests.length
  const ends = Int32Array.from(session.requests, ({ end }) => end)
  const turnCounts = Int32Array.from(session.requests, ({ turnCount }) => turnCount)
  const outputs = Float64Array.from(outputTokens(session))
  const before = Float64Array.from(facts.tokensBefore)
  const prefixes = Float64Array.from(prefixTokens)
  const plan = maskingPlan(facts)
  const messageOf = Int32Array.from(conversation.results, ({ message }) => message)
  const resultsBefore = countResultsBefore(facts)
  const savedBefore = prefixSums(conversation.results.length)

  const isPrefix = rule.kind === 'prefix'
  const isBreakpoint = rule.kind === 'breakpoint'
  const minimum = rule.kind === 'none' ? Number.POSITIVE_INFINITY : rule.minimumTokens
  const step = rule.kind === 'none' ? 1 : Math.max(1, rule.stepTokens)
  const headTokens =
    isBreakpoint && rule.isHeadMarked ? (prefixes[headMessages(conversation)] as Tokens) : 0
  const reach = reachOf(rule, facts)

  /** Results to be masked, as a list for each request: its first, and by result the next. */
  const due = new Int32Array(requestCount)
  const nextDue = new Int32Array(conversation.results.length)
  const stack = new Int32Array(requestCount)
  const tokens = new Float64Array(requestCount)
  const above = Float64Array.from(bands.above)
  const [input, read, written, output] = Array.from(
    { length: 4 },
    () => new Float64Array(above.length + 1),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]

  return (window) => {
    for (const sums of [input, read, written, output]) sums.fill(0)
    due.fill(NONE)
    savedBefore.clear()
    let nextTurn = 0
    let saved = 0
    let depth = 0

    for (let at = 0; at < requestCount; at++) {
      const isOff = window.windowTurns <= 0 || at < firstTriggered
      const firstKept = isOff ? 0 : firstKeptTurn(turnCounts[at] as number, window)
      for (; nextTurn < firstKept; nextTurn++) {
        const end = plan.startOfTurn[nextTurn + 1] as number
        for (let place = plan.startOfTurn[nextTurn] as number; place < end; place++) {
          const result = plan.resultsByTurn[place] as number
          const from = Math.max(at, plan.earliest[result] as number)
          if (from >= requestCount) continue
          nextDue[result] = due[from] as number
          due[from] = result
        }
      }
      let changed = NONE
      for (let result = due[at] as number; result !== NONE; result = nextDue[result] as number) {
        const savedTokens = plan.savedTokens[result] as Tokens
        saved += savedTokens
        if (isPrefix) savedBefore.add(result, savedTokens)
        const message = messageOf[result] as number
        const isNew = (plan.sentFrom[result] as number) === at
        if (!isNew && (changed === NONE || message < changed)) changed = message
      }
      const total = (before[at] as Tokens) - saved
      tokens[at] = total
      let shared = 0
      if (isPrefix && at > 0) {
        shared =
          changed === NONE
            ? (tokens[at - 1] as Tokens)
            : (prefixes[changed] as Tokens) - savedBefore.sumOf(resultsBefore[changed] as number)
      } else if (isBreakpoint && at > 0) {
        if (changed !== NONE) {
          while (depth > 0 && (ends[stack[depth - 1] as number] as number) > changed) depth--
        }
        const last = depth === 0 ? NONE : (stack[depth - 1] as number)
        const isFound =
          last !== NONE &&
          (reach.places[at] as number) - (reach.places[last] as number) <= reach.longest
        shared = isFound ? Math.max(headTokens, tokens[last] as Tokens) : headTokens
      }
      stack[depth++] = at

      let band = 0
      while (band < above.length && total > (above[band] as Tokens)) band++
      // Division, since the remainder of two floats takes most of the loop's time.
      const cached = step === 1 ? shared : Math.floor(shared / step) * step
      const reads = cached >= minimum ? cached : 0
      const whole = step === 1 ? total : Math.floor(total / step) * step
      input[band] = (input[band] as Tokens) + total
      read[band] = (read[band] as Tokens) + reads
      written[band] = (written[band] as Tokens) + (whole >= minimum ? whole : 0) - reads
      output[band] = (output[band] as Tokens) + (outputs[at] as Tokens)
    }
    return totalOf(
      bands,
      Array.from(input, (_, band) => tokenUse(band)),
    )
  }

  function tokenUse(band: number): TokenUse {
    const use = {
      input: input[band] as Tokens,
      read: read[band] as Tokens,
      written: written[band] as Tokens,
      output: output[band] as Tokens,
    }
    return { ...use, fresh: use.input - use.read - use.written }
  }
}

/** A look-back as places on a line: a request reaches those at most `longest` before its own. */
function reachOf(
  rule: CacheRule,
  { session }: MaskFacts,
): { readonly places: Int32Array; readonly longest: number } {
  const lookBack = rule.kind === 'breakpoint' ? rule.lookBack : undefined
  if (lookBack?.unit === 'blocks') {
    const blocks = blocksBefore(session.conversation)
    const places = Int32Array.from(session.requests, ({ end }) => blocks[end] as number)
    // The last block of the request itself is the first of those looked at.
    return { places, longest: lookBack.count - 1 }
  }
  const places = Int32Array.from(session.requests, (_, at) => at)
  return { places, longest: lookBack?.count ?? Number.POSITIVE_INFINITY }
}

interface MaskingPlan {
  /** Results that may be masked, by turn; those of turn n begin at `startOfTurn[n]`. */
  readonly resultsByTurn: Int32Array
  readonly startOfTurn: Int32Array
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
  const startOfTurn = new Int32Array(resultsOfTurn.length + 1)
  for (const [turn, results] of resultsOfTurn.entries()) {
    startOfTurn[turn + 1] = (startOfTurn[turn] as number) + results.length
  }
  const resultsByTurn = Int32Array.from(resultsOfTurn.flat())
  return { resultsByTurn, startOfTurn, sentFrom, earliest, savedTokens }
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
