import type { Replay, ReplayedRequest, ReplaySide } from './replay'
import type { Sweep, SweepPoint } from './sweep'
import type { Usd } from './units'

/** What to do about a session, with the figures of the sentence that says it. */
export type Recommendation =
  /** This window and batch is the cheapest there is, and cheaper than sending everything. */
  | {
      readonly state: 'mask'
      readonly point: SweepPoint
      readonly cost: Usd
      readonly costBefore: Usd
      /** Of the cost before, from 0 to 1. */
      readonly savedShare: number
    }
  /** Sending everything is cheapest; `cheapest` is the best of what masks, undefined where no allowed window does. */
  | {
      readonly state: 'do_not_mask'
      readonly costBefore: Usd
      readonly cheapest: { readonly point: SweepPoint; readonly cost: Usd } | undefined
    }
  /** No request sends a tool result. */
  | { readonly state: 'no_results' }
  /** The policy keeps every result, whatever the window. */
  | { readonly state: 'nothing_maskable'; readonly results: number }
  /** A price that the costs need is not known. */
  | { readonly state: 'price_unknown' }

/**
 * The cheapest window and batch of a sweep, by what the whole session costs with caching, answers included.
 * Windows under `smallestWindow` turns are left out. Among equals the longest window, then the smallest batch.
 */
export function recommend(swept: Sweep, smallestWindow: number): Recommendation {
  if (swept.sentResults === 0) return { state: 'no_results' }
  if (swept.maskableResults === 0) return { state: 'nothing_maskable', results: swept.sentResults }
  const costBefore = sessionCost(swept.before)
  if (costBefore === undefined) return { state: 'price_unknown' }
  let cheapest: { point: SweepPoint; cost: Usd } | undefined
  for (const point of swept.points) {
    if (point.windowTurns < smallestWindow) continue
    const cost = sessionCost(point.total)
    if (cost === undefined) return { state: 'price_unknown' }
    // A window too long to mask anything is no masking.
    if (cost === costBefore && point.total.tokens === swept.before.tokens) continue
    if (cheapest === undefined || isBetter({ point, cost }, cheapest)) cheapest = { point, cost }
  }
  if (cheapest === undefined || cheapest.cost >= costBefore) {
    return { state: 'do_not_mask', costBefore, cheapest }
  }
  const savedShare = (costBefore - cheapest.cost) / costBefore
  return { state: 'mask', ...cheapest, costBefore, savedShare }
}

interface Candidate {
  readonly point: SweepPoint
  readonly cost: Usd
}

function isBetter(candidate: Candidate, best: Candidate): boolean {
  if (candidate.cost !== best.cost) return candidate.cost < best.cost
  const [a, b] = [candidate.point, best.point]
  if (a.windowTurns !== b.windowTurns) return a.windowTurns > b.windowTurns
  return a.batchTurns < b.batchTurns
}

/** What a side costs with caching, answers included; undefined where a price is unknown. */
export function sessionCost({ costs }: ReplaySide): Usd | undefined {
  if (costs.cached === undefined || costs.output === undefined) return undefined
  return costs.cached + costs.output
}

/** `from_request`: from this request on, by index, the session so far is cheaper with masking, and stays so. */
export type BreakEven =
  | { readonly state: 'from_request'; readonly request: number }
  | { readonly state: 'never' }
  | { readonly state: 'price_unknown' }

/** The first request from which on masking has paid, with caching or without, answers included. */
export function breakEven(
  { requests }: Pick<Replay, 'requests'>,
  caching: 'cached' | 'plain',
): BreakEven {
  let [before, after] = [0, 0]
  let since: number | undefined
  for (const [at, request] of requests.entries()) {
    const [own, masked] = [cost(request, 'before', caching), cost(request, 'after', caching)]
    if (own === undefined || masked === undefined) return { state: 'price_unknown' }
    before += own
    after += masked
    if (after >= before) since = undefined
    else since ??= at
  }
  return since === undefined ? { state: 'never' } : { state: 'from_request', request: since }
}

function cost(
  request: ReplayedRequest,
  side: 'before' | 'after',
  caching: 'cached' | 'plain',
): Usd | undefined {
  const { costs } = request[side]
  const input = costs[caching]
  return input === undefined || costs.output === undefined ? undefined : input + costs.output
}
