/**
 * Replays the requests of a session through a prompt cache, in one pass: each request is what it was before masking, less
 * what its changed results save, and reads what it shares with earlier requests.
 *
 * - The tokens of a request are those before masking, less what the results masked so far save.
 * - While a changed result stays as it is, the first difference from the previous request is the first result that was
 *   sent before and has changed. No earlier request can share more, since changes remain in all later requests. And a
 *   changed request never becomes unchanged again, so the unchanged ones form a stack, and the last one is read from the
 *   cache. Units are such a stack too.
 * - Where results can return, as when call ids are used again, requests are compared in a tree (`request-tree.ts`).
 *
 * Requests before the first change are the same in all passes: their sums are computed once.
 */
import { partitionPoint } from '../text/span'
import type { PreparedReplay } from './prepare-replay'
import { priceTiers, type TokenSums } from './price-sheet'
import { blocksBefore, type CacheRule, type Tokens } from './prompt-cache'
import type { RequestChanges } from './request-changes'
import { type CostTerms, requestTermsOf } from './request-terms'
import { createRequestTree } from './request-tree'
import { headMessages, outputTokens, type Session, unitEndsOf } from './sessions'

const NONE = -1

/** Called for each request, with its tokens, those that are read and written, and the first message that differs. */
export type VisitRequest = (
  request: number,
  tokens: Tokens,
  read: Tokens,
  written: Tokens,
  firstChanged: number | undefined,
) => void

export type RequestPass = ReturnType<typeof createRequestPass>

/** The loop runs half a million times for each sweep, so it uses flat lists of numbers and creates no objects. */
export function createRequestPass(
  { session, prefixTokens }: Pick<PreparedReplay, 'session' | 'prefixTokens'>,
  { prices, rule, variants }: CostTerms,
  changes: RequestChanges,
) {
  const { conversation, requests } = session
  const requestCount = requests.length
  const { priceClass, startsCold, lastCold } = requestTermsOf(requests, rule, variants)
  const ends = Int32Array.from(requests, ({ end }) => end)
  const prefixes = Float64Array.from(prefixTokens)
  const before = Float64Array.from(ends, (end) => prefixes[end] as Tokens)
  const outputs = Float64Array.from(outputTokens(session))
  const { messageOf, sentItems, changed: changedItems, saved: savedMore } = changes
  const firstItem = itemsBefore(messageOf, conversation.messages.length)
  const savedBefore = createPrefixSums(messageOf.length)

  const isPrefix = rule.kind === 'prefix'
  const isUnits = rule.kind === 'units'
  const hasSums = isPrefix || isUnits
  const minimum = rule.kind === 'none' ? Number.POSITIVE_INFINITY : rule.minimumTokens
  const step = rule.kind === 'none' || isUnits ? 1 : Math.max(1, rule.stepTokens)
  const interval = (isUnits && rule.intervalTokens) || Number.POSITIVE_INFINITY
  const unitEnds = Int32Array.from(unitEndsOf(session))
  const headTokens =
    rule.kind === 'breakpoint' && rule.isHeadMarked
      ? (session.readableHead ?? (prefixes[headMessages(conversation)] as Tokens))
      : 0
  const mostAfterChange = session.readableHead ?? Number.POSITIVE_INFINITY
  const reach = reachOf(rule, session)

  const leaves = isUnits ? 2 : 1
  /** What requests leave on the stack if nothing changes: their indexes, or by the rule `units` the ends of units. */
  const unmasked = Int32Array.from({ length: leaves * requestCount }, (_, index) => {
    if (!isUnits) return index
    return (index % 2 === 0 ? ends : unitEnds)[index >> 1] as number
  })
  /** The stack, from `bottom` on; below `base` it is as in `unmasked`. A changed request leaves a third unit. */
  const stack = new Int32Array((leaves + 1) * requestCount)
  let [bottom, base, depth] = [0, 0, 0]
  const tree = createRequestTree(changes.state, messageOf, firstItem)
  const tokens = new Float64Array(requestCount)
  let started = 0

  const tiers = priceTiers(prices, variants)
  const above = Float64Array.from(tiers.above)
  const tierCount = above.length + 1
  const columns = tierCount * tiers.sheets
  const column = () => new Float64Array(columns)
  const [input, read, written, output] = [column(), column(), column(), column()]
  const sums = [input, read, written, output]
  /** By request: the sums of all requests before it if nothing changes. */
  let sumsBefore: Float64Array[] | undefined

  function pass(start: number, firstChange: number, visit?: VisitRequest, isRecorded = false) {
    const isTree = changes.canReturn && firstChange < requestCount
    started = start
    for (const [index, sum] of sums.entries()) {
      for (let column = 0; column < columns; column++)
        sum[column] = start === 0 ? 0 : (sumsBefore?.[index]?.[start * columns + column] as number)
    }
    if (hasSums) savedBefore.clear()
    if (isTree) tree.clear()
    bottom = leaves * (lastCold[start] as number)
    depth = leaves * start
    base = depth
    let saved = 0

    for (let request = start; request < requestCount; request++) {
      const sentBefore = request === 0 ? 0 : (sentItems[request - 1] as number)
      const count = request < firstChange ? 0 : changes.next(request)
      let changed = NONE
      for (let at = 0; at < count; at++) {
        const item = changedItems[at] as number
        const more = savedMore[at] as Tokens
        saved += more
        if (hasSums) savedBefore.add(item, more)
        const message = messageOf[item] as number
        // Of what was sent, a new one changes nothing; but a unit with the answer has it as the model wrote it.
        if (item >= sentBefore) dropAfter(message)
        else if (changed === NONE || message < changed) changed = message
      }
      const first = changed
      const total = (before[request] as Tokens) - saved
      tokens[request] = total
      const isCold = startsCold[request] === 1
      if (isCold) {
        bottom = depth
        // Nothing is left that it could differ from.
        changed = NONE
        if (isTree) tree.clear()
      }
      let shared = 0
      if (isTree) tree.add(request, sentItems[request] as number)
      if (rule.kind === 'none' || isCold) shared = 0
      else if (request === 0) shared = session.warmTokens ?? 0
      else shared = isTree ? sharedInTree(request) : sharedOnStack(request, changed, start)
      if (isUnits) {
        if (changed > 0) stack[depth++] = changed
        stack[depth++] = ends[request] as number
        stack[depth++] = unitEnds[request] as number
      } else stack[depth++] = request

      // Division is much faster here than the remainder of two floats.
      const cached = step === 1 ? shared : Math.floor(shared / step) * step
      const reads = cached >= minimum ? cached : 0
      const cacheable = step === 1 ? total : Math.floor(total / step) * step
      const writes = (cacheable >= minimum ? cacheable : 0) - reads
      let tier = 0
      while (tier < above.length && total > (above[tier] as Tokens)) tier++
      tier += (priceClass[request] as number) * tierCount
      input[tier] = (input[tier] as Tokens) + total
      read[tier] = (read[tier] as Tokens) + reads
      written[tier] = (written[tier] as Tokens) + writes
      output[tier] = (output[tier] as Tokens) + (outputs[request] as Tokens)
      visit?.(request, total, reads, writes, first === NONE ? ends[request - 1] : first)
      if (isRecorded) {
        for (const [index, sum] of sums.entries())
          sumsBefore?.[index]?.set(sum, (request + 1) * columns)
      }
    }
  }

  /** Leading tokens that an earlier request left in the cache, if changed items stay as they are. */
  function sharedOnStack(request: number, changed: number, start: number): Tokens {
    if (isPrefix)
      return changed === NONE ? sentTokens(request - 1, start) : beforeChange(tokensUpTo(changed))
    if (changed !== NONE) dropAfter(changed)
    if (depth === bottom) return isUnits ? atInterval(tokensUpTo(changed)) : headTokens
    const top = (depth <= base ? unmasked : stack)[depth - 1] as number
    if (isUnits)
      return Math.max(tokensUpTo(top), changed === NONE ? 0 : atInterval(tokensUpTo(changed)))
    return sharedWith(request, top, sentTokens(top, start))
  }

  /** The same, if they can return to what they were. */
  function sharedInTree(request: number): Tokens {
    const whole = tree.whole()
    const wholeTokens = whole === NONE ? 0 : (tokens[whole] as Tokens)
    if (!hasSums) return whole === NONE ? headTokens : sharedWith(request, whole, wholeTokens)
    const difference = tree.difference()
    const longest = difference === NONE ? wholeTokens : tokensUpTo(difference)
    if (isPrefix) return Math.max(wholeTokens, beforeChange(longest))
    const unit = Math.max(tree.branch(), whole === NONE ? 0 : unitEndOf(whole))
    return Math.max(unit > 0 ? tokensUpTo(unit) : 0, atInterval(longest))
  }

  /** Providers do not read all of what is before a change: only what the first request found too, where that is known. */
  function beforeChange(shared: Tokens): Tokens {
    return Math.min(shared, mostAfterChange)
  }

  /** The tokens of an earlier request that this one begins with, if it is within the look-back. */
  function sharedWith(request: number, earlier: number, earlierTokens: Tokens): Tokens {
    const distance = (reach.positions[request] as number) - (reach.positions[earlier] as number)
    return distance <= reach.longest ? Math.max(headTokens, earlierTokens) : headTokens
  }

  /** The cache has an answer as the model wrote it: with none of its items changed. */
  function unitEndOf(request: number): number {
    const end = unitEnds[request] as number
    const last = firstItem[end] as number
    for (let item = sentItems[request] as number; item < last; item++)
      if (changes.state[item] !== 0) return ends[request] as number
    return end
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

  function sentTokens(request: number, start: number): Tokens {
    return (request < start ? before : tokens)[request] as Tokens
  }

  function atInterval(shared: Tokens): Tokens {
    return shared - (shared % interval)
  }

  function tokensUpTo(message: number): Tokens {
    return (prefixes[message] as Tokens) - savedBefore.sumOf(firstItem[message] as number)
  }

  function tokenSums(): TokenSums[] {
    return Array.from(input, (all, tier) => {
      const [reads, writes] = [read[tier] as Tokens, written[tier] as Tokens]
      const fresh = all - reads - writes
      return { input: all, read: reads, written: writes, fresh, output: output[tier] as Tokens }
    })
  }

  return {
    /** Replays all requests with the changes as they are set now, and returns their tokens by price tier. */
    run: (visit?: VisitRequest) => {
      pass(0, changes.first, visit)
      return tokenSums()
    },
    /** The same, fast for many changes of one session: what all of them have in common is computed once. */
    runMany: () => {
      if (sumsBefore === undefined) {
        sumsBefore = sums.map(() => new Float64Array(columns * (requestCount + 1)))
        pass(0, requestCount, undefined, true)
      }
      pass(changes.canReturn ? 0 : changes.first, changes.first)
      return tokenSums()
    },
    /** The tokens of a request in the last run. */
    tokensOf: (request: number) => sentTokens(request, started),
  }
}

/** Positions of the requests, in the unit of the look-back: a request finds those at most `longest` before its own. */
export function reachOf(
  rule: CacheRule,
  { conversation, requests }: Session,
): { readonly positions: Int32Array; readonly longest: number } {
  const lookBack = rule.kind === 'breakpoint' ? rule.lookBack : undefined
  if (lookBack?.unit === 'blocks') {
    const blocks = blocksBefore(conversation)
    const positions = Int32Array.from(requests, ({ end }) => blocks[end] as number)
    // The look-back includes the last block of the request.
    return { positions, longest: lookBack.count - 1 }
  }
  const positions = Int32Array.from(requests, (_, index) => index)
  return { positions, longest: lookBack?.count ?? Number.POSITIVE_INFINITY }
}

/** By message, and for the end: the number of items before it. */
function itemsBefore(messageOf: ArrayLike<number>, messages: number): Int32Array {
  const before = new Int32Array(messages + 1)
  for (let item = 0; item < messageOf.length; item++) {
    const next = (messageOf[item] as number) + 1
    before[next] = (before[next] as number) + 1
  }
  for (let index = 1; index < before.length; index++)
    before[index] = (before[index] as number) + (before[index - 1] as number)
  return before
}

/** Sums over the first items of a list whose items change: a Fenwick tree. Both operations take logarithmic time. */
export function createPrefixSums(length: number) {
  const tree = new Float64Array(length + 1)
  return {
    clear: () => tree.fill(0),
    add: (index: number, amount: number): void => {
      for (let node = index + 1; node <= length; node += node & -node)
        tree[node] = (tree[node] as number) + amount
    },
    /** Sum of the first `count` items. */
    sumOf: (count: number): number => {
      let sum = 0
      for (let node = count; node > 0; node -= node & -node) sum += tree[node] as number
      return sum
    },
  }
}
