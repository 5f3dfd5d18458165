/**
 * The least that a session can cost with a window, known only in hindsight: by its cheapest sequence of moves. A move masks
 * every result that the window has passed; between two moves no other result is masked.
 *
 * Requests are gone through with the least cost of each state. A state is what is masked, which the last move determines:
 * one for each level. Two things can tell its ways apart: earlier requests that are still in the cache as they are (the stack
 * of `request-pass.ts`), and results that a move came too late for, because signed thinking had been written.
 */
import { isSameList } from '../../conversation/same-list'
import type { PreparedReplay } from '../prepare-replay'
import type { Tokens, Usd } from '../prompt-cache'
import type { CostTerms } from '../request-terms'
import { type LeastAfter, leastAfterOf } from './least-after'
import { createLevels, type Levels, type Masked, NEVER, NOTHING_MISSED } from './levels'
import { createRequestPrices, type RequestPrices } from './request-prices'

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

/** Most steps of a search, about two seconds: one for each way, several for each earlier request that is looked at. */
const MOST_STEPS = 1e7
const STEPS_PER_ENTRY = 10

/** States that a beam search continues. Its cost is an upper bound, beyond which the full search follows no way. */
const BEAM_WIDTH = 8

/** What is left of earlier requests: tokens before message `end`, and what is `below` it. */
interface Entry {
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
  cost: number
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
  /** Those that can be the cheapest. */
  ways: Way[]
  /** Those that a change of this request leads to, with what they cost in all. */
  arrived: Way[]
}

/**
 * The cheapest moves of a window under the cache rule and the prices of a session. `neededUntil` has by result the last request
 * that needs it: it is masked after that only. Undefined if a price is unknown, if a masked result can return, as when
 * call ids are used again, or if there are too many ways.
 */
export function sessionLimit(
  prepared: PreparedReplay,
  windowTurns: number,
  terms: CostTerms,
  neededUntil: ReadonlyMap<number, number> = new Map(),
): SessionLimit | undefined {
  if (windowTurns <= 0 || windowTurns < prepared.fixedFrom) return undefined
  const { requests } = prepared.session
  const levels = createLevels(prepared, windowTurns, neededUntil)
  const prices = createRequestPrices(prepared, terms)
  const leastAfter = leastAfterOf(requests.length, levels, prices)
  const search = (most: number, isBeam: boolean) =>
    searchMoves(requests.length, levels, prices, leastAfter, most, isBeam)
  const first = leastAfter && search(NEVER, true)
  const found = search(first?.cost ?? NEVER, false)
  if (found === undefined) return undefined
  const moves: number[] = []
  for (let at = found.path; at !== undefined; at = at.before) moves.unshift(at.request)
  return { cost: found.cost / 1e6, moves }
}

/** The cheapest way that costs no more than `most`; with `isBeam` a cheap one, by a beam search. */
function searchMoves(
  requestCount: number,
  levels: Levels,
  prices: RequestPrices,
  leastAfter: LeastAfter | undefined,
  most: number,
  isBeam: boolean,
): Way | undefined {
  const { ends, unitEnds, isUnits, hasStack, isReadCheaper } = prices
  const stateOf = (level: number, missed: Masked['missed']): State => ({
    ...{ level, missed, spent: 0, tokens: 0, ways: [], arrived: [] },
  })
  const start = stateOf(0, NOTHING_MISSED)
  start.ways.push({ cost: 0, since: 0, below: undefined, path: undefined })
  let live = [start]
  let [request, steps] = [0, 0]
  const limit = most + 1e-9 * Math.abs(most)
  // An unknown price is never above the limit, so nothing would be left out.
  let isUnknown = false

  /** The entries of a way that end before a change, without those below one that no later change can be before. */
  const entriesBefore = (state: State, way: Way, newest: number, end: number, steady: number) => {
    const { since, below } = way
    const found: (readonly [end: number, request: number])[] = []
    const isSettled = () => found.length > 0 && (found.at(-1)?.[0] as number) <= steady
    for (let at = newest; at >= since && !isSettled(); at--) {
      steps += STEPS_PER_ENTRY
      const unitEnd = unitEnds[at] as number
      // A masked result that arrived in the answer is not what the unit has.
      if (isUnits && unitEnd <= Math.min(end, levels.ownChanges(state, at + 1).arrived))
        found.push([unitEnd, at])
      if (!isSettled()) found.push([ends[at] as number, at])
    }
    let entry = isSettled() ? undefined : keptBelow(below, end, steady)
    for (const [end, request] of found.reverse())
      entry = { end, request, tokens: levels.tokensUpTo(state, end), below: entry }
    return entry
  }

  /** True if whatever changes later, one way reads as much as another one. */
  const readsAsMuch = (one: Way, other: Way, steady: number): boolean => {
    if (one.since > other.since) return false
    let mine = one.below
    for (let theirs = other.below; theirs !== undefined; theirs = theirs.below) {
      steps++
      const isSettled = theirs.end <= steady
      while (mine !== undefined && mine.end > (isSettled ? steady : theirs.end)) mine = mine.below
      if (mine === undefined || mine.end < theirs.end) return false
      if (isSettled) return true
    }
    return true
  }

  /** Adds a way to others, unless one of them is as good, in place of those that it is as good as. */
  const addWay = (ways: Way[], way: Way, steady: number): void => {
    const isWorse = (one: Way, other: Way) =>
      other.cost <= one.cost &&
      readsAsMuch(other, one, steady) &&
      (isReadCheaper || readsAsMuch(one, other, steady))
    for (const other of ways) if (isWorse(way, other)) return
    for (let at = ways.length - 1; at >= 0; at--)
      if (isWorse(ways[at] as Way, way)) ways.splice(at, 1)
    ways.push(way)
  }

  /** Continues all ways of a state with a change of this request. */
  const change = (state: State, to: State, moved: number): void => {
    const own = levels.ownChanges(to)
    const changed = Math.min(moved, own.changed)
    const steady = levels.steady(to.level)
    const unchanged = changed === NEVER || prices.isChangeFree()
    const upTo = unchanged ? 0 : levels.tokensUpTo(state, changed)
    const end = Math.min(changed, own.arrived)
    const newest = unchanged || !hasStack ? -1 : prices.newestBefore(end)
    const tokens = levels.tokensOf(to)
    const unread = prices.unread(tokens)
    const sharedAtLeast = unchanged
      ? prices.sharedUnchanged(state.tokens, own.arrived)
      : prices.sharedBefore(upTo)
    for (const way of state.ways) {
      steps++
      let { since, below } = way
      let shared = sharedAtLeast
      if (prices.isCold()) [since, below] = [hasStack ? request : 0, undefined]
      else if (!unchanged && hasStack) {
        below =
          newest < since
            ? keptBelow(below, end, steady)
            : entriesBefore(state, way, newest, end, steady)
        since = request
        if (below !== undefined && !prices.isReached(below.request)) below = undefined
        shared = Math.max(shared, below?.tokens ?? 0)
        if (isUnits && changed > 0) {
          const under = changed <= steady ? undefined : below
          below = { end: changed, request: 0, tokens: upTo, below: under }
        }
      }
      const cost = way.cost + state.spent + unread - prices.saved(tokens, shared)
      isUnknown ||= Number.isNaN(cost)
      const last = to.arrived.at(-1)
      if (last !== undefined && last.cost <= cost && last.below === below && last.since === since)
        continue
      if (leastAfter && cost + leastAfter(request + 1, to.level, below?.tokens ?? 0) > limit)
        continue
      const path = state === to ? way.path : { request, before: way.path }
      addWay(to.arrived, { cost, since, below, path }, steady)
    }
  }

  for (; request < requestCount; request++) {
    prices.enter(request)
    const reached: State[] = []
    for (const target of levels.enter(request)) {
      const first = levels.firstChanges(target)
      let to: State | undefined
      for (const state of live) {
        if (state.level >= target) continue
        const missed = levels.missedAt(state, target)
        const isTo = (one: State) => one.level === target && isSameList(one.missed, missed)
        if (to === undefined || !isTo(to)) {
          to = live.findLast(isTo) ?? reached.findLast(isTo) ?? stateOf(target, missed)
          if (!live.includes(to) && !reached.includes(to)) reached.push(to)
        }
        change(state, to, first[state.level] as number)
      }
    }
    live.push(...reached)
    const beam: { readonly state: State; readonly total: number }[] = []
    for (const state of live) {
      const tokens = levels.tokensOf(state)
      if (state.ways.length > 0) {
        const { changed, arrived } = levels.ownChanges(state)
        if (changed < NEVER || prices.isCold()) {
          change(state, state, NEVER)
          state.ways = []
        } else {
          const shared = prices.sharedUnchanged(state.tokens, arrived)
          state.spent += prices.unread(tokens) - prices.saved(tokens, shared)
          isUnknown ||= Number.isNaN(state.spent)
        }
      }
      state.tokens = tokens
      const steady = levels.steady(state.level)
      for (const way of state.arrived) {
        way.cost -= state.spent
        addWay(state.ways, way, steady)
      }
      state.arrived = []
      if (leastAfter === undefined) continue
      const totalOf = ({ cost, below }: Way) =>
        state.spent + cost + leastAfter(request + 1, state.level, below?.tokens ?? 0)
      const total = Math.min(...state.ways.map(totalOf))
      state.ways = state.ways.filter((way) => !(totalOf(way) > (isBeam ? total : limit)))
      if (isBeam) beam.push({ state, total })
    }
    beam.sort((a, b) => a.total - b.total)
    for (const { state } of beam.slice(BEAM_WIDTH)) state.ways = []
    live = live.filter(({ ways }) => ways.length > 0)
    if (isUnknown || steps > MOST_STEPS) return undefined
  }
  return live
    .flatMap(({ spent, ways }) => ways.map((way) => ({ ...way, cost: way.cost + spent })))
    .sort((a, b) => a.cost - b.cost)[0]
}

/** The entries that end before a message, without those below one that is settled. */
function keptBelow(entry: Entry | undefined, end: number, steady: number): Entry | undefined {
  if (entry === undefined) return undefined
  if (entry.end > end) return keptBelow(entry.below, end, steady)
  const below = entry.end <= steady ? undefined : keptBelow(entry.below, end, steady)
  return below === entry.below ? entry : { ...entry, below }
}
