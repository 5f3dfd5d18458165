import type { MaskPolicy } from '../policy/policy'
import type { ReplaySources } from './decide-request'
import { fixedDecisionTotals } from './fixed-decision-totals'
import { type PreparedReplay, prepareReplay } from './prepare-replay'
import { type CostTerms, NO_WINDOW, type ReplaySide, replayTotal, sumSides } from './replay'
import type { Session } from './sessions'
import type { MaskWindow } from './walk-masked-requests'

/** The batch sizes that a sweep tries by default. */
export const SWEEP_BATCHES: readonly number[] = [1, 2, 4, 8, 16, 32]

/** The total of a session under one window. */
export interface SweepPoint extends MaskWindow {
  readonly total: ReplaySide
}

/** `incremental`: one pass over the requests for each point. `replayed`: a replay for each point, which is slower. */
export type SweepMethod = 'incremental' | 'replayed'

export interface Sweep {
  /** Results that some request sends, and how many of them the policy masks once they are old enough. */
  readonly sentResults: number
  readonly maskableResults: number
  /** Ascending, without duplicates. */
  readonly batches: readonly number[]
  /** Windows from 1 to this are tried; it is the number of tool turns in the last request. */
  readonly largestWindow: number
  /** The session without masking: window 0. */
  readonly before: ReplaySide
  /** By batch, then window. */
  readonly points: readonly SweepPoint[]
  readonly method: SweepMethod
}

/**
 * Replays a session for every window from 0 to its number of tool turns and every batch size, as if masking were on.
 * The window and batch size of the policy are ignored. Every point equals `replay`, to the last digit.
 * Sessions in which a masked result can come back, such as those that reuse call ids, are replayed point by point.
 */
export function sweep(
  session: Session,
  policy: MaskPolicy,
  sources: ReplaySources,
  terms: CostTerms,
  batches: readonly number[] = SWEEP_BATCHES,
): Sweep {
  return sweepPrepared(prepareReplay(session, policy, sources), terms, batches)
}

export function sweepPrepared(
  prepared: PreparedReplay,
  terms: CostTerms,
  batches: readonly number[] = SWEEP_BATCHES,
): Sweep {
  const totalOf = prepared.hasFixedDecisions
    ? fixedDecisionTotals(prepared, terms)
    : (window: MaskWindow) => replayTotal(prepared, window, terms)
  const sorted = [...new Set(batches.map((batch) => Math.max(1, batch)))].sort((a, b) => a - b)
  const largestWindow = prepared.session.requests.at(-1)?.turnCount ?? 0
  const before = totalOf(NO_WINDOW)
  const points: SweepPoint[] = []
  for (const batchTurns of sorted) {
    for (let windowTurns = 1; windowTurns <= largestWindow; windowTurns++) {
      const window = { windowTurns, batchTurns }
      points.push({ ...window, total: totalOf(window) })
    }
  }
  const sent = prepared.links.filter(({ length }) => length > 0)
  const maskable = sent.filter((links) =>
    links.some(({ placeholder, turn }) => placeholder > 0 && turn !== undefined),
  )
  return {
    sentResults: sent.length,
    maskableResults: maskable.length,
    batches: sorted,
    largestWindow,
    before,
    points,
    method: prepared.hasFixedDecisions ? 'incremental' : 'replayed',
  }
}

/** The sum of several sweeps, point by point. All must have the same batch sizes. */
export function sumSweeps(sweeps: readonly Sweep[]): Sweep {
  const sum = (of: (one: Sweep) => number) => sweeps.reduce((total, one) => total + of(one), 0)
  const batches = sweeps[0]?.batches ?? []
  const largestWindow = Math.max(0, ...sweeps.map((one) => one.largestWindow))
  const points = batches.flatMap((batchTurns) =>
    Array.from({ length: largestWindow }, (_, index): SweepPoint => {
      const window = { windowTurns: index + 1, batchTurns }
      return { ...window, total: sumSides(sweeps.map((one) => pointAt(one, window)?.total)) }
    }),
  )
  return {
    sentResults: sum((one) => one.sentResults),
    maskableResults: sum((one) => one.maskableResults),
    batches,
    largestWindow,
    before: sumSides(sweeps.map(({ before }) => before)),
    points,
    method: sweeps.every(({ method }) => method === 'incremental') ? 'incremental' : 'replayed',
  }
}

/** The point of a window and batch size. A window of 0, or of more turns than there are, masks nothing. */
export function pointAt(
  { batches, largestWindow, before, points }: Sweep,
  { windowTurns, batchTurns }: MaskWindow,
): SweepPoint | undefined {
  if (windowTurns <= 0 || windowTurns > largestWindow) {
    return { windowTurns, batchTurns, total: before }
  }
  const row = batches.indexOf(batchTurns)
  return row === -1 ? undefined : points[row * largestWindow + windowTurns - 1]
}
