import { DEFAULT_POLICY } from '../policy/policy'
import type { Replay, ReplayedRequest, ReplaySide } from './replay'
import { pointAt, type Sweep, type SweepPoint } from './sweep'
import type { Tokens, Usd } from './units'
import type { MaskWindow } from './walk-masked-requests'

/** No window of fewer turns is recommended unless the user allows it: models work worse without their last results. */
export const SMALLEST_WINDOW = DEFAULT_POLICY.windowTurns

/** Costs within this share of the cheapest count as equal. */
const EQUAL_SHARE = 0.01

/** The recommended setting for a session, and the figures that explain it. All of it is known only in hindsight. */
export type Recommendation =
  /** Of the windows and batches within 1 % of the cheapest, this one keeps most. */
  | {
      readonly state: 'mask'
      readonly point: SweepPoint
      readonly cost: Usd
      readonly costBefore: Usd
      /** Share of `costBefore`, from 0 to 1. */
      readonly savedShare: number
    }
  /** Sending everything is within 1 % of the cheapest. `cheapest` is the best point that masks; undefined if there is none. */
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
 * Recommends a window and batch of a sweep, by the cost of the session with caching, including answers. Among those
 * within 1 % of the cheapest, the one that sends most tokens is recommended, then the cheaper one, then the longer
 * window. Windows under `smallestWindow` turns are ignored.
 */
export function recommend(swept: Sweep, smallestWindow: number): Recommendation {
  if (swept.sentResults === 0) return { state: 'no_results' }
  if (swept.maskableResults === 0) return { state: 'nothing_maskable', results: swept.sentResults }
  const costBefore = sessionCost(swept.before)
  if (costBefore === undefined) return { state: 'price_unknown' }
  const candidates = maskingPoints(swept, Math.max(1, smallestWindow))
  if (candidates.some(({ cost }) => Number.isNaN(cost))) return { state: 'price_unknown' }
  const best = (isBetter: (one: Candidate, other: Candidate) => boolean) =>
    candidates.reduce<Candidate | undefined>(
      (found, one) => (found === undefined || isBetter(one, found) ? one : found),
      undefined,
    )
  const cheapest = best((one, other) => one.cost < other.cost)
  const limit = (cheapest?.cost ?? 0) * (1 + EQUAL_SHARE)
  if (cheapest === undefined || costBefore <= limit) {
    const known = cheapest && { point: pointOf(swept, cheapest), cost: cheapest.cost }
    return { state: 'do_not_mask', costBefore, cheapest: known }
  }
  const chosen = best(
    (one, other) => one.cost <= limit && (other.cost > limit || keepsMore(one, other)),
  ) as Candidate
  const { cost } = chosen
  const savedShare = (costBefore - cost) / costBefore
  return { state: 'mask', point: pointOf(swept, chosen), cost, costBefore, savedShare }
}

interface Candidate extends MaskWindow {
  readonly cost: Usd
  readonly tokens: Tokens
}

/** Every point that masks something, with its cost including answers. */
function maskingPoints(
  { batches, windows, rows, before }: Sweep,
  smallestWindow: number,
): Candidate[] {
  const candidates: Candidate[] = []
  const costBefore = sessionCost(before)
  for (const [at, { tokens, cached, output }] of rows.entries()) {
    for (const [index, sent] of tokens.entries()) {
      const windowTurns = windows[index] as number
      if (windowTurns < smallestWindow) continue
      const cost = (cached[index] as Usd) + (output[index] as Usd)
      if (cost === costBefore && sent === before.tokens) continue
      candidates.push({
        windowTurns,
        batchTurns: batches[at] as number,
        cost,
        tokens: sent,
      })
    }
  }
  return candidates
}

function pointOf(swept: Sweep, window: MaskWindow): SweepPoint {
  return pointAt(swept, {
    windowTurns: window.windowTurns,
    batchTurns: window.batchTurns,
  }) as SweepPoint
}

function keepsMore(one: Candidate, other: Candidate): boolean {
  if (one.tokens !== other.tokens) return one.tokens > other.tokens
  if (one.cost !== other.cost) return one.cost < other.cost
  return one.windowTurns > other.windowTurns
}

/** Cost of a side with caching, including answers; undefined if a price is unknown. */
export function sessionCost({ costs }: Pick<ReplaySide, 'costs'>): Usd | undefined {
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
