/** Layout of the sweep chart: lines over the window's slider, in coordinates from 0 to 1. */
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { lossAt, pointsOfBatch, type Sweep, type SweepPoint } from '@/lib/core/replay/sweep'
import { leastPast, listedBatches } from '@/lib/core/replay/sweep-grid'
import { conversationOf } from '../document/selectors'
import { sweepOf } from '../policy/policy-view'
import { optional, select } from '../select'
import type { SweepAxis } from './costs-slice'
import { bestPointOf } from './session-advice'

type BatchTurns = MaskPolicy['batchTurns']
type SweepTotal = SweepPoint['total']

/** A total's value on an axis; undefined if a price is unknown. */
export function valueOn(axis: SweepAxis, side: SweepTotal): number | undefined {
  return axis === 'tokens' ? side.tokens : side.costs[axis]
}

/** Batches that the keyboard steps through. */
const BATCH_STEPS: readonly number[] = [1, 4, 8, 16, 32]

/** Paths are in a box of this width and height. */
const BOX = 1000
/** Space above the highest line. */
const HEADROOM = 0.08

/** The axis chosen, or tokens if it has no values. */
export function knownAxis(axis: SweepAxis, swept: Sweep): SweepAxis {
  if (axis === 'tokens' || valueOn(axis, swept.before) === undefined) return 'tokens'
  return swept.rows.some((row) => row[axis].some(Number.isNaN)) ? 'tokens' : axis
}

/**
 * Lays out the lines of the current and the best batch with zero at the bottom; `turns` is the slider's length. The scale
 * also fits masking every turn, which costs most, so that it stays when the batch changes.
 */
export function layoutSweep(
  swept: Sweep,
  wanted: SweepAxis,
  batchSet: BatchTurns,
  batchBest: BatchTurns | undefined,
  turns: number,
) {
  const axis = knownAxis(wanted, swept)
  const value = (side: SweepTotal) => valueOn(axis, side) ?? 0
  const lines = [...new Set([batchSet, batchBest ?? batchSet])]
    .filter((batch) => swept.batches.includes(batch) || leastPast(batch) >= swept.largestWindow)
    .map((batchTurns) => ({ batchTurns, points: pointsOfBatch(swept, batchTurns) }))
  const scaled = [...lines.flatMap(({ points }) => points), ...pointsOfBatch(swept, 1)]
  const highest = scaled.reduce(
    (most, { total }) => Math.max(most, value(total)),
    value(swept.before),
  )
  const top = Math.max(highest, Number.MIN_VALUE) * (1 + HEADROOM)
  const place = (windowTurns: number, side: SweepTotal) => ({
    // From the left, the position on the slider, and from the top.
    x: Math.min(1, windowTurns / Math.max(1, turns)),
    y: 1 - value(side) / top,
  })
  return {
    /** Tokens if prices are unknown. */
    axis,
    /** Undefined if no window loses a use. */
    risk: riskOf(swept, axis, lines[0]?.points ?? [], place, turns),
    /** Height of the line for sending everything. */
    everything: place(0, swept.before).y,
    placeOf: ({ windowTurns, total }: SweepPoint) => place(windowTurns, total),
    lines: lines.map(({ batchTurns, points }) => ({
      batchTurns,
      // Longer windows mask nothing.
      path: [
        ...points,
        {
          windowTurns: Math.max(1, swept.largestWindow - leastPast(batchTurns) + 1),
          total: swept.before,
        },
        { windowTurns: swept.largestWindow, total: swept.before },
      ]
        .filter((point) => point.windowTurns <= turns)
        .map(({ windowTurns, total }, at) => {
          const { x, y } = place(windowTurns, total)
          return `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`
        })
        .join(''),
    })),
  }
}

function riskOf(
  swept: Sweep,
  axis: SweepAxis,
  points: readonly SweepPoint[],
  place: (windowTurns: number, side: SweepTotal) => { readonly x: number; readonly y: number },
  turns: number,
) {
  const losses = points
    .filter(({ windowTurns }) => windowTurns <= turns)
    .map((point) => ({ point, loss: lossAt(swept, point) }))
  const most = Math.max(0, ...losses.map(({ loss }) => loss?.uses ?? 0))
  if (most === 0) return undefined
  const at = ({ x, y }: ReturnType<typeof place>) => `${round(x)} ${round(Math.max(0, y))}`
  const edge = losses.map(({ point }) => at(place(point.windowTurns, point.total)))
  const worst = losses.map(({ point: { windowTurns, total }, loss }) => {
    if (axis === 'tokens') return ''
    const again = (total.costs[axis] ?? 0) + (loss?.[axis] ?? 0)
    return at(place(windowTurns, { ...total, costs: { ...total.costs, [axis]: again } }))
  })
  return {
    /** The area between both ends of the cost, if everything lost is fetched again. */
    band: axis === 'tokens' ? undefined : `M${[...edge, ...worst.reverse()].join('L')}Z`,
    /** On a scale of their own. */
    lostUses: `M${losses
      .map(({ point, loss }) =>
        at({ x: point.windowTurns / Math.max(1, turns), y: 1 - (loss?.uses ?? 0) / most }),
      )
      .join('L')}`,
  }
}

function round(share: number): number {
  return Math.round(share * BOX * 10) / 10
}

/** The chart of the shown conversation; undefined until it is swept. */
export const sweepChartOf = select(
  [
    sweepOf,
    ({ sweepAxis }) => sweepAxis,
    ({ policy }) => policy.batchTurns,
    optional((state) => bestPointOf(state)?.batchTurns),
    (state) => conversationOf(state)?.turnCount,
  ],
  (swept, axis, batchSet, batchBest, turns) =>
    swept.largestWindow === 0 ? undefined : layoutSweep(swept, axis, batchSet, batchBest, turns),
)

/** The swept windows that the table lists; small ones are listed more densely. */
export function tableWindows(swept: Sweep, windowSet: number): readonly number[] {
  const { largestWindow, windows } = swept
  const listed = new Set([windowSet, largestWindow])
  const add = (wanted: number) => listed.add(windows.find((one) => one >= wanted) ?? largestWindow)
  for (let step = 1; step <= largestWindow; step *= 2) {
    add(step)
    if (step >= 2) add(step * 1.5)
  }
  return [...listed].filter((n) => n > 0 && n <= largestWindow).sort((a, b) => a - b)
}

/** The batches that the table lists. */
export function tableBatches(
  batchSet: BatchTurns,
  best: SweepPoint | undefined,
): readonly BatchTurns[] {
  return listedBatches([batchSet, ...(best === undefined ? [] : [best.batchTurns])])
}

export function nextBatch(set: BatchTurns, direction: 1 | -1): number {
  // Break-even is beyond all of them.
  const batchSet = set === 'auto' ? Number.POSITIVE_INFINITY : set
  const others = BATCH_STEPS.filter((batch) => Math.sign(batch - batchSet) === direction)
  return (direction === 1 ? others[0] : others.at(-1)) ?? (set === 'auto' ? 1 : set)
}
