import type { MaskPolicy } from '../policy/policy'
import { priceBands } from './costs'
import type { ReplaySources } from './decide-request'
import { type MaskFacts, maskFacts } from './mask-facts'
import { type CostTerms, type ReplaySide, replayTotal, sumSides } from './replay'
import type { MaskWindow } from './request-states'
import type { Session } from './requests'
import { settledTotals } from './settled-sweep'

/** The batches a sweep tries when none are named. */
export const SWEEP_BATCHES: readonly number[] = [1, 2, 4, 8, 16, 32]

/** The whole session under one window. */
export interface SweepPoint extends MaskWindow {
  readonly total: ReplaySide
}

/** `incremental`: one pass over the requests a point. `replayed`: a replay a point, since results change their calls. */
export type SweepMethod = 'incremental' | 'replayed'

export interface Sweep {
  /** Results that some request sends, and those of them that the policy masks once they are old enough. */
  readonly sentResults: number
  readonly maskableResults: number
  /** Ascending, without repeats. */
  readonly batches: readonly number[]
  /** The largest window tried: the tool turns of the last request. Windows are 1 to this. */
  readonly largestWindow: number
  /** The session without masking: window 0. */
  readonly before: ReplaySide
  /** By batch, then window. */
  readonly points: readonly SweepPoint[]
  readonly method: SweepMethod
}

/**
 * Replays a session for every window from 0 to its tool turns and every batch, as if masking were on; window and batch of
 * the policy are not read, all else is. Equal to `replay` at every point, to the last digit.
 * Fast for every policy. Only a session in which an id is used by several turns is replayed point by point: what was
 * masked can then come back, and what a cache holds is no longer a matter of the first change.
 */
export function sweep(
  session: Session,
  policy: MaskPolicy,
  sources: ReplaySources,
  terms: CostTerms,
  batches: readonly number[] = SWEEP_BATCHES,
): Sweep {
  return sweepFacts(maskFacts(session, policy, sources), terms, batches)
}

export function sweepFacts(
  facts: MaskFacts,
  terms: CostTerms,
  batches: readonly number[] = SWEEP_BATCHES,
): Sweep {
  const totalOf = facts.isSettled
    ? settledTotals(facts, terms.rule, priceBands(terms.prices))
    : (window: MaskWindow) => replayTotal(facts, window, terms)
  const sorted = [...new Set(batches.map((batch) => Math.max(1, batch)))].sort((a, b) => a - b)
  const largestWindow = facts.session.requests.at(-1)?.turnCount ?? 0
  const before = totalOf({ windowTurns: 0, batchTurns: 1 })
  const points: SweepPoint[] = []
  for (const batchTurns of sorted) {
    for (let windowTurns = 1; windowTurns <= largestWindow; windowTurns++) {
      const window = { windowTurns, batchTurns }
      points.push({ ...window, total: totalOf(window) })
    }
  }
  const sent = facts.links.filter(({ length }) => length > 0)
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
    method: facts.isSettled ? 'incremental' : 'replayed',
  }
}

/** Several sessions under the same windows: point by point the sum. They are swept with the same batches. */
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

/** The point of a window and batch; a window of 0, or of more turns than there are, is the session without masking. */
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
