/**
 * Positions of a chart with a mark for each session: its cost before masking and after. Both axes have the same
 * logarithmic scale, so equal shares have equal distances from the diagonal, where nothing changes.
 */
import type { BeforeAfter } from '../mask/measure-request'
import { type ChartSize, chartBox, short } from './chart-layout'

/** Where a mark is: above the diagonal, below it or on it. */
export const MARK_KINDS = ['cheaper', 'same', 'costlier'] as const

export type MarkKind = (typeof MARK_KINDS)[number]

export interface ScatterChart {
  readonly title: string
  readonly points: readonly BeforeAfter[]
  /** Of each point, on the page: what it is. */
  readonly labels?: readonly string[] | undefined
  readonly formatTick: (value: number) => string
  readonly axes: Readonly<Record<keyof BeforeAfter, string>>
  /** What it means to be above the diagonal, and below it. */
  readonly regions: Readonly<Record<'costlier' | 'cheaper', string>>
  /** What the marks mean, with the number of each. */
  readonly legend: readonly { readonly kind: MarkKind; readonly label: string }[]
}

export interface PlacedMark {
  readonly x: number
  readonly y: number
  readonly kind: MarkKind
}

export type ScatterLayout = ReturnType<typeof layoutScatter>

export function layoutScatter(chart: ScatterChart, size: ChartSize) {
  const { points, formatTick } = chart
  const box = chartBox(size, [46, 8, 18, 32])
  const range = rangeOf(points)
  const [low, high] = range ?? [1, 2]
  const shareOf = (value: number) =>
    Math.min(1, Math.max(0, Math.log(Math.max(value, low) / low) / Math.log(high / low)))
  const xOf = (value: number) => short(box.x + shareOf(value) * box.width)
  const yOf = (value: number) => short(box.y + (1 - shareOf(value)) * box.height)
  const marks = points.map(
    (point): PlacedMark => ({ x: xOf(point.before), y: yOf(point.after), kind: markKind(point) }),
  )
  const ticks = range === undefined ? [] : logarithmicTicks(low, high)
  const ticksAt = (of: (value: number) => number) =>
    ticks.map((value) => ({ at: of(value), label: formatTick(value) }))
  return { chart, marks, ticks: { before: ticksAt(xOf), after: ticksAt(yOf) }, box }
}

export function markKind({ before, after }: BeforeAfter): MarkKind {
  if (after === before) return 'same'
  return after < before ? 'cheaper' : 'costlier'
}

/** SVG path data of a mark: a disc for a cheaper session, a triangle for a more expensive one, a ring for the same cost. */
export function markPath({ x, y, kind }: PlacedMark): string {
  if (kind === 'costlier') return `M${x} ${short(y - 4.5)}l4.5 8h-9z`
  const radius = kind === 'same' ? 2.5 : 3
  const arc = `a${radius} ${radius} 0 1 0`
  return `M${short(x - radius)} ${y}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0z`
}

/** SVG path data of all marks of a kind; empty if there are none. Marks at one place are drawn once. */
export function pathOf(marks: readonly PlacedMark[], kind: MarkKind): string {
  return [...new Set(marks.filter((mark) => mark.kind === kind).map(markPath))].join('')
}

/** The range of all costs, with some room; costs of 0 are at its lower end. Undefined if all are 0. */
function rangeOf(points: readonly BeforeAfter[]): readonly [low: number, high: number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (const value of points.flatMap(({ before, after }) => [before, after])) {
    // Smaller ones have no logarithm that can be calculated with.
    if (value > 1e-300 && value < low) low = value
    if (value > high) high = value
  }
  return high < low ? undefined : [low / 1.25, high * 1.25]
}

/** Powers of ten, at most six; within a smaller range also 3, or 2 and 5, times them. */
function logarithmicTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low))
  const last = Math.floor(Math.log10(high))
  const range = Math.log10(high / low)
  const factors = range < 2 ? [1, 2, 5] : range < 4 ? [1, 3] : [1]
  const step = Math.ceil((last - first + 1) / 6)
  const ticks: number[] = []
  for (let power = first; power <= last; power++) {
    if ((power - first) % step !== 0) continue
    for (const factor of factors) {
      const value = Number(`${factor}e${power}`)
      if (value >= low && value <= high) ticks.push(value)
    }
  }
  // A range between two ticks.
  return ticks.length > 0 ? ticks : [low * Math.sqrt(high / low)]
}
