/**
 * The least that a session can cost with a window, known only in hindsight: by its cheapest sequence of moves. A move masks
 * every result that the window has passed; between two moves no other result is masked.
 *
 * Requests are gone through with the least cost of each state. A state is what is masked, which the last move determines:
 * one for each level. Two things can tell its ways apart: earlier requests that are still in the cache as they are (the stack
 * of `request-pass.ts`), and results that a move came too late for, because signed thinking had been written.
 */
import { partitionPoint } from '../../text/span'
import type { PreparedReplay } from '../prepare-replay'
import { priceOf, priceTiers, tierOf, usdOf } from '../price-sheet'
import { cachedTokens } from '../prompt-cache'
import { reachOf } from '../request-pass'
import { type CostTerms, requestTermsOf } from '../request-terms'
import { headMessages, unitEndsOf } from '../sessions'
import type { Tokens, Usd } from '../units'
import { createLevels, type Masked, NEVER, NOTHING_MISSED } from './levels'

/** The cheapest moves of a window. */
export interface SessionLimit {
  /** Of the input with caching. */
  readonly cost: Usd
  /** The requests in which the window moves, ascending. */
  readonly moves: readonly number[]
}

/** The least that a session can cost with a window, and the least without losing a later use; undefined if unknown. */
export interface SessionLimits {
  readonly any: SessionLimit | undefined
  readonly withoutLosses: SessionLimit | undefined
}

/** Ways that are continued by a move and requests looked at for them, at most: about two seconds. */
const MOST_STEPS = 1e7
/** Making an entry takes about as long as looking at this many requests. */
const STEPS_PER_ENTRY = 10

/** What is left of earlier requests: one that ends before message `end`, and what is `below` it. */
interface Entry {
  /** From 1 on. */
  readonly id: number
  readonly end: number
  readonly request: number
  readonly tokens: Tokens
  readonly below: Entry | undefined
}

interface Path {
  readonly request: number
  readonly before: Path | undefined
}

/** A way to reach a state. */
interface Way {
  /** Less what the state has `spent`. */
  readonly cost: number
  /** The cache has all requests from this one on, and `below` of those before. */
  readonly since: number
  readonly below: Entry | undefined
  readonly path: Path | undefined
}

interface State extends Masked {
  /** What requests without a move have cost. */
  spent: number
  /** Of the last request. */
  tokens: Tokens
  /** One for each that is left of earlier requests. */
  ways: Map<number, Way>
}

/**
 * The cheapest moves of a window under the cache rule and the prices of a session. `neededUntil` has by result the last request
 * that needs it: it is masked after that only. Undefined if a price is unknown, if a masked result can return, as when
 * call ids are used again, or if there are too many ways.
 */
export function sessionLimit(
  prepared: PreparedReplay,
  windowTurns: number,
  { rule, prices, variants }: CostTerms,
  neededUntil: ReadonlyMap<number, number> = new Map(),
): SessionLimit | undefined {
  if (windowTurns <= 0 || windowTurns < prepared.fixedFrom) return undefined
  const { session, prefixTokens } = prepared
  const { requests } = session
  const { priceClass, startsCold } = requestTermsOf(requests, rule, variants)
  const tiers = priceTiers(prices, variants)
  const ends = requests.map(({ end }) => end)
  const unitEnds = unitEndsOf(session)
  const reach = reachOf(rule, session)
  const isUnits = rule.kind === 'units'
  const hasStack = isUnits || rule.kind === 'breakpoint'
  const interval = (isUnits && rule.intervalTokens) || NEVER
  const mostAfterChange = session.readableHead ?? NEVER
  const headTokens =
    rule.kind === 'breakpoint' && rule.isHeadMarked
      ? (session.readableHead ?? (prefixTokens[headMessages(session.conversation)] as Tokens))
      : 0
  const levels = createLevels(prepared, windowTurns, neededUntil)
  const states: State[][] = Array.from({ length: levels.count }, () => [])
  const start: Way = { cost: 0, since: 0, below: undefined, path: undefined }
  states[0] = [
    { level: 0, missed: NOTHING_MISSED, spent: 0, tokens: 0, ways: new Map([[0, start]]) },
  ]
  const entryOf = createEntries()
  const isReadCheaper = tiers.prices.cachedRead.every(
    (price, tier) => (price ?? NEVER) <= (tiers.prices.cacheWrite[tier] ?? NEVER),
  )
  let [request, steps] = [0, 0]

  /** What this request costs unread, and how much more for each token that is read. */
  const pricesOf = (tokens: Tokens) => {
    const tier = tierOf(tiers, tokens, priceClass[request])
    const { input, cacheWrite, cachedRead } = tiers.prices
    const cached = cachedTokens(rule, tokens)
    return {
      unread: priceOf(tokens - cached, input[tier]) + priceOf(cached, cacheWrite[tier]),
      readMore: (cachedRead[tier] ?? Number.NaN) - (cacheWrite[tier] ?? Number.NaN),
    }
  }

  const sharedWith = (earlier: number, tokens: Tokens): Tokens => {
    if (rule.kind !== 'breakpoint') return tokens
    return isReached(earlier) ? Math.max(headTokens, tokens) : headTokens
  }
  const isReached = (earlier: number) =>
    (reach.positions[request] as number) - (reach.positions[earlier] as number) <= reach.longest

  /** What this request shares with the one before if nothing of it changes. */
  const sharedUnchanged = ({ tokens }: State, arrived: number): Tokens => {
    if (rule.kind === 'none' || startsCold[request] === 1) return 0
    if (request === 0) return session.warmTokens ?? 0
    const [end, unitEnd] = [ends[request - 1] as number, unitEnds[request - 1] as number]
    const answer = (prefixTokens[unitEnd] as Tokens) - (prefixTokens[end] as Tokens)
    return sharedWith(request - 1, isUnits && unitEnd <= arrived ? tokens + answer : tokens)
  }

  /** The entries of a way that end before a change, without those below one that no later change can be before. */
  const entriesBefore = (state: State, way: Way, newest: number, end: number, steady: number) => {
    const { since, below } = way
    const isTopKept = below === undefined || (below.below === undefined && below.end <= end)
    if (newest < since && isTopKept) return below
    const found: (readonly [end: number, request: number])[] = []
    const isSettled = () => found.length > 0 && (found.at(-1)?.[0] as number) <= steady
    for (let at = newest; at >= since && !isSettled(); at--) {
      steps++
      const unitEnd = unitEnds[at] as number
      // A masked result that arrived in the answer is not what the unit has.
      if (isUnits && unitEnd <= Math.min(end, levels.ownChanges(state, at + 1).arrived))
        found.push([unitEnd, at])
      if (!isSettled()) found.push([ends[at] as number, at])
    }
    let entry = isSettled() ? undefined : below
    for (; entry !== undefined && !isSettled(); entry = entry.below) {
      steps++
      if (entry.end <= end) found.push([entry.end, entry.request])
    }
    steps += STEPS_PER_ENTRY * found.length
    return found.reduceRight<Entry | undefined>(
      (under, [last, at]) => entryOf(last, isUnits ? 0 : at, levels.tokensUpTo(state, last), under),
      undefined,
    )
  }

  /** Continues all ways of a state with a change of this request; of those that are alike in a row, the cheapest is added. */
  const change = (state: State, to: Masked, moved: number, found: Way[]): void => {
    const isMove = to.level > state.level
    const own = levels.ownChanges(to)
    const changed = Math.min(moved, own.changed)
    const { unread, readMore } = pricesOf(levels.tokensOf(to))
    const steady = levels.steady[to.level] as number
    const isCold = startsCold[request] === 1
    const unchanged = changed === NEVER || request === 0 || isCold || rule.kind === 'none'
    const upTo = unchanged ? sharedUnchanged(state, own.arrived) : levels.tokensUpTo(state, changed)
    const end = Math.min(changed, own.arrived)
    const newest = unchanged
      ? 0
      : partitionPoint(0, request, (at) => (ends[at] as number) <= end) - 1
    const boundary =
      isUnits && !unchanged && changed <= steady ? entryOf(changed, 0, upTo, undefined) : undefined
    for (const way of state.ways.values()) {
      if (++steps > MOST_STEPS) return
      let { since, below } = way
      let shared = unchanged ? upTo : Math.min(upTo, mostAfterChange)
      if (isCold) [since, below] = [request, undefined]
      else if (!unchanged && hasStack) {
        below = entriesBefore(state, way, newest, end, steady)
        since = request
        if (isUnits) {
          shared = Math.max(below?.tokens ?? 0, upTo - (upTo % interval))
          if (changed > 0) below = boundary ?? entryOf(changed, 0, upTo, below)
        } else if (below === undefined || !isReached(below.request)) {
          ;[shared, below] = [headTokens, undefined]
        } else shared = sharedWith(below.request, below.tokens)
      }
      if (!hasStack) since = 0
      const cost = way.cost + state.spent + unread + priceOf(cachedTokens(rule, shared), readMore)
      const last = found.at(-1)
      const isAlike = last !== undefined && last.below === below && last.since === since
      if (isAlike && last.cost <= cost) continue
      if (isAlike) found.pop()
      found.push({ cost, since, below, path: isMove ? { request, before: way.path } : way.path })
    }
  }

  /** Adds ways to the state of what is masked, in place of dearer ones that are alike. */
  const reachState = (to: Masked, tokens: Tokens, ways: readonly Way[]): void => {
    const own = states[to.level] as State[]
    const { missed } = to
    const isOwn = (one: State) =>
      one.missed.length === missed.length && one.missed.every((item, at) => item === missed[at])
    let state = own.find(isOwn)
    if (state === undefined) {
      state = { ...to, spent: 0, tokens, ways: new Map() }
      own.push(state)
    }
    state.tokens = tokens
    for (const way of ways) {
      const key = (way.below?.id ?? 0) * requests.length + way.since
      const cost = way.cost - state.spent
      if ((state.ways.get(key)?.cost ?? NEVER) > cost) state.ways.set(key, { ...way, cost })
    }
    if (isReadCheaper && state.ways.size > 1)
      steps += dropDearer(state, levels.steady[to.level] as number)
  }

  for (; request < requests.length; request++) {
    const reached: { readonly to: Masked; readonly tokens: Tokens; readonly ways: Way[] }[] = []
    const follow = (state: State, level: number, missed: Masked['missed'], moved: number) => {
      let found = reached.find(({ to }) => to.level === level && to.missed === missed)
      if (found === undefined) {
        const to = { level, missed }
        found = { to, tokens: levels.tokensOf(to), ways: [] }
        reached.push(found)
      }
      change(state, found.to, moved, found.ways)
    }
    const targets = levels
      .enter(request)
      .map((level) => [level, levels.firstChanges(level)] as const)
    for (const [level, own] of states.entries()) {
      for (const state of own) {
        const { missed } = state
        for (const [target, first] of targets) {
          if (target > level)
            follow(state, target, levels.missedAt(state, target), first[level] as number)
        }
        const { changed, arrived } = levels.ownChanges(state)
        if (changed < NEVER || startsCold[request] === 1) {
          follow(state, level, missed, NEVER)
          state.ways = new Map()
        } else {
          const tokens = levels.tokensOf(state)
          const { unread, readMore } = pricesOf(tokens)
          const read = cachedTokens(rule, sharedUnchanged(state, arrived))
          state.spent += unread + priceOf(read, readMore)
          state.tokens = tokens
        }
      }
    }
    for (const { to, tokens, ways } of reached) {
      if (steps > MOST_STEPS) return undefined
      reachState(to, tokens, ways)
    }
  }
  const all = states.flatMap((own) =>
    own.flatMap(({ spent, ways }) =>
      [...ways.values()].map(({ cost, path }) => ({ cost: cost + spent, path })),
    ),
  )
  const least = all.reduce((best, one) => (best.cost <= one.cost ? best : one))
  const cost = usdOf(all.some((one) => Number.isNaN(one.cost)) ? Number.NaN : least.cost)
  const moves: number[] = []
  for (let at = least.path; at !== undefined; at = at.before) moves.unshift(at.request)
  return cost === undefined ? undefined : { cost, moves }
}

/**
 * Drops ways that cost as much as another one, after which as much is in the cache whatever changes. Returns how many pairs
 * were compared.
 */
function dropDearer({ ways }: State, steady: number): number {
  const kept: Way[] = []
  let compared = 0
  for (const [key, way] of [...ways].sort(([, one], [, other]) => one.cost - other.cost)) {
    const isWorse = kept.some(({ since, below }) => {
      compared++
      if (since > way.since) return false
      if (below === way.below || way.below === undefined) return true
      return below !== undefined && below.end <= steady && below.end >= way.below.end
    })
    if (isWorse) ways.delete(key)
    else kept.push(way)
  }
  return compared
}

/** Makes entries, so that equal ones are the same. */
function createEntries() {
  const entries = new Map<string, Entry>()
  return (end: number, request: number, tokens: Tokens, below: Entry | undefined): Entry => {
    const key = `${end} ${request} ${tokens} ${below?.id}`
    const known = entries.get(key)
    if (known !== undefined) return known
    const made = { id: entries.size + 1, end, request, tokens, below }
    entries.set(key, made)
    return made
  }
}
