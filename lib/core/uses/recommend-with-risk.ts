/** Settings of a sweep that take into account what masking loses. Costs are of input with caching. */
import type { Sweep, SweepRow } from '../replay/sweep'
import type { Usd } from '../replay/units'
import type { MaskWindow } from '../replay/walk-masked-requests'

/** A setting with both ends of its cost: nothing is fetched again, and everything lost is. */
export interface RiskPoint extends MaskWindow {
  readonly cost: Usd
  readonly worstCost: Usd
  readonly lostUses: number
}

export interface RiskAdvice {
  /** The setting that is cheapest if everything lost is fetched again; undefined if sending everything is as cheap. */
  readonly cheapestAtWorst: RiskPoint | undefined
  /** The smallest window that keeps a share of the later uses, with its cheapest batch; undefined if no window does. */
  readonly keeping: RiskPoint | undefined
}

/** Finds both settings among windows of at least `smallestWindow` turns; undefined if a price is unknown. */
export function recommendWithRisk(
  swept: Sweep,
  laterUses: number,
  smallestWindow: number,
  share: number,
): RiskAdvice | undefined {
  const before = swept.before.costs.cached
  if (before === undefined) return undefined
  const first = Math.max(1, smallestWindow)
  const points = swept.rows.flatMap((row, at) => {
    const batchTurns = swept.batches[at] as number
    return Array.from(row.tokens.keys())
      .filter((index) => (swept.windows[index] as number) >= first)
      .map((index) =>
        pointIn(row, index, { windowTurns: swept.windows[index] as number, batchTurns }),
      )
  })
  if (points.some(({ worstCost }) => Number.isNaN(worstCost))) return undefined
  const cheapest = best(points, ({ worstCost }) => worstCost)
  // A batch lets a window pass later, so what keeps enough at every turn keeps enough with every batch.
  const most = (1 - share) * laterUses + 1e-9
  const window = points.find(({ batchTurns, lostUses }) => batchTurns === 1 && lostUses <= most)
  const ofWindow = points.filter(({ windowTurns }) => windowTurns === window?.windowTurns)
  return {
    cheapestAtWorst: cheapest !== undefined && cheapest.worstCost < before ? cheapest : undefined,
    keeping: best(ofWindow, ({ worstCost }) => worstCost),
  }
}

function pointIn(row: SweepRow, at: number, window: MaskWindow): RiskPoint {
  const cost = row.cached[at] as Usd
  const worstCost = cost + (row.refetchCached[at] as Usd)
  return { ...window, cost, worstCost, lostUses: row.uses[at] as number }
}

function best(
  points: readonly RiskPoint[],
  costOf: (point: RiskPoint) => Usd,
): RiskPoint | undefined {
  return points.reduce<RiskPoint | undefined>(
    (found, one) => (found === undefined || costOf(one) < costOf(found) ? one : found),
    undefined,
  )
}
