import type { Replay, ReplayedRequest, ReplaySide } from './replay'
import type { Sweep, SweepPoint } from './sweep'
import type { Usd } from './units'

/** The recommended setting for a session, and the figures that explain it. */
export type Recommendation =
  /** This window and batch size cost least, and less than sending everything. */
  | {
      readonly state: 'mask'
      readonly point: SweepPoint
      readonly cost: Usd
      readonly costBefore: Usd
      /** Share of `costBefore`, from 0 to 1. */
      readonly savedShare: number
    }
  /** Sending everything costs least. `cheapest` is the best point that masks; undefined if no allowed window masks. */
  | {
      readonly state: 'do_not_mask'
      readonly costBefore: Usd
      readonly cheapest: { readonly point: SweepPoint; readonly cost: Usd } | undefined
    }
  /** No request sends a tool result. */
  | { readonly state: 'no_results' }
  /** The policy keeps every result under all windows. */
  | { readonly state: 'nothing_maskable'; readonly results: number }
  /** A price that the costs depend on is unknown. */
  | { readonly state: 'price_unknown' }

/**
 * Finds the cheapest window and batch size of a sweep, by the cost of the session with caching, including answers.
 * Windows under `smallestWindow` turns are ignored. Of equal points, the longest window wins, then the smallest batch.
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
    // This window is too long to mask anything.
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

/** Cost of a side with caching, including answers; undefined if a price is unknown. */
export function sessionCost({ costs }: ReplaySide): Usd | undefined {
  if (costs.cached === undefined || costs.output === undefined) return undefined
  return costs.cached + costs.output
}

/** `from_request`: from the request with this index on, the session so far always costs less with masking. */
export type BreakEven =
  | { readonly state: 'from_request'; readonly request: number }
  | { readonly state: 'never' }
  | { readonly state: 'price_unknown' }

/** Finds the first request from which on masking saves money, with or without caching, including answers. */
export function breakEven(
  { requests }: Pick<Replay, 'requests'>,
  caching: 'cached' | 'plain',
): BreakEven {
  let [before, after] = [0, 0]
  let since: number | undefined
  for (const [index, request] of requests.entries()) {
    const [unmasked, masked] = [cost(request, 'before', caching), cost(request, 'after', caching)]
    if (unmasked === undefined || masked === undefined) return { state: 'price_unknown' }
    before += unmasked
    after += masked
    if (after >= before) since = undefined
    else since ??= index
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
