import { DEFAULT_POLICY } from '../policy/policy'
import type { MaskWindow } from './prepare-replay'
import type { Tokens, Usd } from './prompt-cache'
import type { Replay, ReplaySide } from './replay'
import { pointAt, type Sweep, type SweepPoint } from './sweep'

/** No window of fewer turns is recommended unless the user allows it: models work worse without their last results. */
export const SMALLEST_WINDOW = DEFAULT_POLICY.windowTurns

/**
 * `cheapest`: the setting that costs least if everything it loses is fetched again. `keep_uses`: the same, of the settings
 * that keep a share of the later uses.
 */
export const ADVICE_RULES = ['cheapest', 'keep_uses'] as const

export type AdviceRule = (typeof ADVICE_RULES)[number]

export interface AdviceSettings {
  readonly rule: AdviceRule
  /** The share of later uses that `keep_uses` keeps, from 0 to 1. */
  readonly keptShare: number
  /** Windows of fewer turns are ignored. */
  readonly smallestWindow: number
}

export const DEFAULT_ADVICE: AdviceSettings = {
  rule: 'cheapest',
  keptShare: 0.95,
  smallestWindow: SMALLEST_WINDOW,
}

/** Costs within this share of the cheapest count as equal. */
const EQUAL_SHARE = 0.01

/** A setting with both ends of its cost, answers included: nothing is fetched again, and everything lost is, once. */
export interface AdvisedSetting {
  readonly point: SweepPoint
  readonly cost: Usd
  readonly worstCost: Usd
  readonly lostUses: number
}

/** The recommended setting for a session, and the figures that explain it. All of it is known only in hindsight. */
export type Recommendation =
  | (AdvisedSetting & {
      readonly state: 'mask'
      readonly costBefore: Usd
      /** Shares of `costBefore`, from 0 to 1, of both ends. */
      readonly savedShare: number
      readonly savedAtWorst: number
    })
  /** Sending everything is within 1 % of the cheapest. `cheapest` is the best setting that masks; undefined if none may. */
  | {
      readonly state: 'do_not_mask'
      readonly costBefore: Usd
      readonly cheapest: AdvisedSetting | undefined
    }
  /** No request sends a tool result. */
  | { readonly state: 'no_results' }
  /** The policy keeps every result under all windows. */
  | { readonly state: 'nothing_maskable'; readonly results: number }
  /** A price that the costs depend on is unknown. */
  | { readonly state: 'price_unknown' }

/**
 * Recommends a window and batch of a sweep. They are compared by the pessimistic cost of the session with caching: with
 * answers, and with everything lost fetched again. Of those that the rule allows and that cost at most 1 % more than the
 * cheapest, it prefers one that moves at break-even, which has no batch size to choose; then the one that sends most
 * tokens, the cheaper one, and the longer window.
 */
export function recommend(
  swept: Sweep,
  laterUses: number,
  settings: AdviceSettings,
): Recommendation {
  if (swept.sentResults === 0) return { state: 'no_results' }
  if (swept.maskableResults === 0) return { state: 'nothing_maskable', results: swept.sentResults }
  const costBefore = sessionCost(swept.before)
  if (costBefore === undefined) return { state: 'price_unknown' }
  const most = mostLostUses(laterUses, settings)
  const candidates = maskingPoints(swept, settings.smallestWindow).filter(
    ({ lostUses }) => lostUses <= most,
  )
  if (candidates.some(({ worstCost }) => Number.isNaN(worstCost))) return { state: 'price_unknown' }
  const best = (isBetter: (one: Candidate, other: Candidate) => boolean) =>
    candidates.reduce<Candidate | undefined>(
      (found, one) => (found === undefined || isBetter(one, found) ? one : found),
      undefined,
    )
  const cheapest = best((one, other) => one.worstCost < other.worstCost)
  const limit = (cheapest?.worstCost ?? 0) * (1 + EQUAL_SHARE)
  if (cheapest === undefined || costBefore <= limit)
    return { state: 'do_not_mask', costBefore, cheapest: cheapest && settingOf(swept, cheapest) }
  const chosen = best(
    (one, other) => one.worstCost <= limit && (other.worstCost > limit || isPreferred(one, other)),
  ) as Candidate
  return {
    state: 'mask',
    ...settingOf(swept, chosen),
    costBefore,
    savedShare: (costBefore - chosen.cost) / costBefore,
    savedAtWorst: (costBefore - chosen.worstCost) / costBefore,
  }
}

/** The later uses that a setting may lose. */
export function mostLostUses(
  laterUses: number,
  { rule, keptShare }: Pick<AdviceSettings, 'rule' | 'keptShare'>,
): number {
  return rule === 'cheapest' ? Infinity : (1 - keptShare) * laterUses + 1e-9
}

interface Candidate extends MaskWindow, Omit<AdvisedSetting, 'point'> {
  readonly tokens: Tokens
}

/** Every point that masks something, with both ends of its cost including answers. */
function maskingPoints({ batches, windows, rows, before }: Sweep, smallestWindow: number) {
  const candidates: Candidate[] = []
  const costBefore = sessionCost(before)
  for (const [at, { tokens, cached, output, uses, refetchCached }] of rows.entries()) {
    for (const [index, sent] of tokens.entries()) {
      const windowTurns = windows[index] as number
      if (windowTurns < smallestWindow) continue
      const cost = (cached[index] as Usd) + (output[index] as Usd)
      if (cost === costBefore && sent === before.tokens) continue
      candidates.push({
        windowTurns,
        batchTurns: batches[at] as MaskWindow['batchTurns'],
        cost,
        worstCost: cost + (refetchCached[index] as Usd),
        lostUses: uses[index] as number,
        tokens: sent,
      })
    }
  }
  return candidates
}

function settingOf(swept: Sweep, candidate: Candidate): AdvisedSetting {
  const { windowTurns, batchTurns, cost, worstCost, lostUses } = candidate
  const point = pointAt(swept, { windowTurns, batchTurns }) as SweepPoint
  return { point, cost, worstCost, lostUses }
}

function isPreferred(one: Candidate, other: Candidate): boolean {
  const isAuto = one.batchTurns === 'auto'
  if (isAuto !== (other.batchTurns === 'auto')) return isAuto
  if (one.tokens !== other.tokens) return one.tokens > other.tokens
  if (one.worstCost !== other.worstCost) return one.worstCost < other.worstCost
  return one.windowTurns > other.windowTurns
}

/** Cost of a side with or without caching, including answers; undefined if a price is unknown. */
export function sessionCost(
  { costs }: Pick<ReplaySide, 'costs'>,
  caching: 'cached' | 'plain' = 'cached',
): Usd | undefined {
  const input = costs[caching]
  return input === undefined || costs.output === undefined ? undefined : input + costs.output
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
    const unmasked = sessionCost(request.before, caching)
    const masked = sessionCost(request.after, caching)
    if (unmasked === undefined || masked === undefined) return { state: 'price_unknown' }
    before += unmasked
    after += masked
    if (after >= before) since = undefined
    else since ??= index
  }
  return since === undefined ? { state: 'never' } : { state: 'from_request', request: since }
}
