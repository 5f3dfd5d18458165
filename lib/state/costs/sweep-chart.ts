/** Layout of the sweep chart: lines over the window's slider, in coordinates from 0 to 1. */
import type { ReplaySide } from '@/lib/core/replay/replay'
import type { Sweep, SweepPoint } from '@/lib/core/replay/sweep'
import { conversationOf } from '../document/selectors'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import type { SweepAxis } from './costs-slice'
import { recommendationOf, sweepOf } from './session-replay'

/** A side's value on an axis; undefined if a price is unknown. */
export function valueOn(axis: SweepAxis, side: ReplaySide): number | undefined {
  return axis === 'tokens' ? side.tokens : side.costs[axis]
}

/** Batches drawn besides the current one. */
export const DRAWN_BATCHES: readonly number[] = [1, 4, 8, 16, 32]

export interface ChartPlace {
  /** From the left: the window's position on the slider. */
  readonly x: number
  /** From the top. */
  readonly y: number
}

export interface ChartLine {
  readonly batchTurns: number
  /** SVG path in a box of 1000 by 1000. */
  readonly path: string
}

export interface SweepChart {
  /** Undefined if prices are unknown; the chart then shows tokens. */
  readonly axis: SweepAxis
  readonly lines: readonly ChartLine[]
  /** Height of the line for sending everything. */
  readonly everything: number
  readonly placeOf: (point: SweepPoint) => ChartPlace
}

const BOX = 1000
/** Space above the highest line. */
const HEADROOM = 0.08

/** The axis chosen, or tokens if it has no values. */
export function knownAxis(axis: SweepAxis, swept: Sweep): SweepAxis {
  const sides = [swept.before, ...swept.points.map(({ total }) => total)]
  return sides.every((side) => valueOn(axis, side) !== undefined) ? axis : 'tokens'
}

/** Lays out the lines with zero at the bottom; `turns` is the slider's length. */
export function layoutSweep(
  swept: Sweep,
  wanted: SweepAxis,
  batchSet: number,
  turns: number,
): SweepChart {
  const axis = knownAxis(wanted, swept)
  const batches = swept.batches.filter(
    (batch) => DRAWN_BATCHES.includes(batch) || batch === batchSet,
  )
  const value = (side: ReplaySide) => valueOn(axis, side) ?? 0
  const drawn = swept.points.filter(({ batchTurns }) => batches.includes(batchTurns))
  const highest = drawn.reduce(
    (most, { total }) => Math.max(most, value(total)),
    value(swept.before),
  )
  const top = Math.max(highest, Number.MIN_VALUE) * (1 + HEADROOM)
  const place = (windowTurns: number, side: ReplaySide): ChartPlace => ({
    x: Math.min(1, windowTurns / Math.max(1, turns)),
    y: 1 - value(side) / top,
  })
  return {
    axis,
    everything: place(0, swept.before).y,
    placeOf: ({ windowTurns, total }) => place(windowTurns, total),
    lines: batches.map((batchTurns) => ({
      batchTurns,
      path: drawn
        .filter((point) => point.batchTurns === batchTurns && point.windowTurns <= turns)
        .map(({ windowTurns, total }, at) => {
          const { x, y } = place(windowTurns, total)
          return `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`
        })
        .join(''),
    })),
  }
}

function round(share: number): number {
  return Math.round(share * BOX * 10) / 10
}

const layout = memoize(layoutSweep)

/** The chart of the shown conversation; undefined until it is swept. */
export function sweepChartOf(state: PlaygroundState): SweepChart | undefined {
  const swept = sweepOf(state)
  const turns = conversationOf(state)?.turnCount
  if (swept === undefined || turns === undefined || swept.largestWindow === 0) return undefined
  return layout(swept, state.sweepAxis, state.policy.batchTurns, turns)
}

/** The cheapest point that may be recommended, even if masking does not pay there. */
export function bestPointOf(state: PlaygroundState): SweepPoint | undefined {
  const advice = recommendationOf(state)
  if (advice?.state === 'mask') return advice.point
  return advice?.state === 'do_not_mask' ? advice.cheapest?.point : undefined
}

/** The swept windows that the table lists; small ones are listed more densely. */
export function tableWindows({ largestWindow }: Sweep, windowSet: number): readonly number[] {
  const windows = new Set([windowSet, largestWindow])
  for (let step = 1; step <= largestWindow; step *= 2) {
    windows.add(step)
    if (step >= 2) windows.add(step * 1.5)
  }
  return [...windows].filter((n) => n > 0 && n <= largestWindow).sort((a, b) => a - b)
}

export function nextBatch(batchSet: number, direction: 1 | -1): number {
  const others = DRAWN_BATCHES.filter((batch) => Math.sign(batch - batchSet) === direction)
  return (direction === 1 ? others[0] : others.at(-1)) ?? batchSet
}
