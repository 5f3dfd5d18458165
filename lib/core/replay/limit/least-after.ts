/** A lower bound of what the rest of a session costs, by request and level, where a cache reads units: found from its end. */
import type { Tokens } from '../prompt-cache'
import { type Levels, NEVER, NOTHING_MISSED } from './levels'
import type { RequestPrices } from './request-prices'

/** Most levels times requests: more of them are not worth the memory. */
const MOST_BOUNDS = 4e6

/** What the requests from `request` on cost at least in a level whose last change left a unit of `left` tokens. */
export type LeastAfter = (request: number, level: number, left: Tokens) => number

/**
 * A change is taken to read all that the last one left, and sometimes all before it; it may read less. Undefined for the
 * other rules, which tell few ways apart, and where the bound would be wrong or take too much memory.
 */
export function leastAfterOf(requestCount: number, levels: Levels, prices: RequestPrices) {
  const { count } = levels
  const { isUnits, isReadCheaper, mostSaved } = prices
  if (!isUnits || !isReadCheaper || levels.hasDeadlines || requestCount * count > MOST_BOUNDS)
    return undefined
  const table = () => new Float64Array((requestCount + 1) * count).fill(NEVER)
  /** The least cost if the next change does not read what the last one left; and if it does, but for what that saves. */
  const [unread, reading] = [table(), table()]
  unread.fill(0, requestCount * count)
  const leastAfter: LeastAfter = (request, level, left) => {
    const at = request * count + level
    return Math.min(unread[at] as number, (reading[at] as number) - mostSaved * prices.cached(left))
  }
  const masked = Array.from({ length: count }, (_, level) => ({ level, missed: NOTHING_MISSED }))
  const tokens = new Float64Array(count)
  const full = new Float64Array(count)

  for (let request = requestCount - 1; request >= 0; request--) {
    prices.enter(request)
    const targets = levels.enter(request)
    const since = levels.since()
    const [row, next] = [request * count, (request + 1) * count]
    const keep = (table: Float64Array, level: number, cost: number) => {
      if (cost < (table[row + level] as number)) table[row + level] = cost
    }
    const change = (level: number, to: number, changed: number, arrived: number) => {
      const cost = full[to] as number
      const saved = (shared: Tokens) => prices.saved(tokens[to] as Tokens, shared)
      if (prices.isCold()) return keep(unread, level, cost + leastAfter(request + 1, to, 0))
      if (changed === NEVER || request === 0) {
        const less = saved(prices.sharedUnchanged(levels.mostBefore(level), arrived))
        keep(unread, level, cost - less + (unread[next + to] as number))
        keep(reading, level, cost - less + (reading[next + to] as number))
        return
      }
      const upTo = levels.tokensUpTo(masked[level] as (typeof masked)[0], changed)
      const least = cost + leastAfter(request + 1, to, upTo)
      const isOwn = prices.newestBefore(changed) >= (since[level] as number)
      if (isOwn || levels.isBefore(changed, level)) return keep(unread, level, least - saved(upTo))
      keep(unread, level, least - saved(prices.sharedBefore(upTo)))
      keep(reading, level, least)
    }
    const within = masked.slice(0, (targets.at(-1) as number) + 1)
    for (const one of within) {
      tokens[one.level] = levels.tokensOf(one)
      full[one.level] = prices.unread(tokens[one.level] as Tokens)
    }
    for (const to of within) {
      const own = levels.ownChanges(to)
      change(to.level, to.level, own.changed, own.arrived)
      if (!targets.includes(to.level)) continue
      const first = levels.firstChanges(to.level)
      for (let level = 0; level < to.level; level++)
        change(level, to.level, Math.min(first[level] as number, own.changed), own.arrived)
    }
  }
  return leastAfter
}
