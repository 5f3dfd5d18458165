/** Positions of the lines, ticks and labels of a chart. The page, reports and files draw them. */
import type { Tokens, Usd } from '../replay/prompt-cache'
import type { ReplayFigures } from './report-facts'

/** A chart with two lines over the requests of a session and an optional horizontal limit. */
export interface Chart {
  readonly title: string
  readonly series: RequestSeries
  /** Formats a value for the axis and for the end of a line. */
  readonly formatTick: (value: number) => string
  readonly formatValue: (value: number) => string
  /** Labels of the lines, such as `Unmasked` and `Masked`. */
  readonly names: Readonly<Record<Side, string>>
  /** Label of a tick on the axis of requests. */
  readonly requestLabel: (request: number) => string
  /** A value drawn as a horizontal line, such as the context window of a model. */
  readonly limit: { readonly value: number; readonly label: string } | undefined
}

export interface ChartSize {
  readonly width: number
  readonly height: number
  /** Height of what is above the chart in a picture: its title, or its legend. */
  readonly heading?: number
}

/** The area of the marks: what the margins leave. */
export function chartBox(
  { width, height, heading = 0 }: ChartSize,
  [left, right, top, bottom]: readonly [left: number, right: number, top: number, bottom: number],
) {
  return {
    x: left,
    y: top + heading,
    width: Math.max(1, width - left - right),
    height: Math.max(1, height - top - heading - bottom),
  }
}

/** Height of a label, which has two lines: name and value. */
const LABEL_HEIGHT = 27
/** Width of a character of a label, and the space between the labels and the axis. */
const CHARACTER = 6.8
const BESIDE_AXIS = 8
/** The most points that are drawn for a line; of points at one position, the highest is drawn. */
const MOST_POINTS = 800

export function layoutChart(chart: Chart, size: ChartSize) {
  const { series, limit } = chart
  const count = series.before.length
  const highest = Math.max(0, ...[...series.before, ...series.after].map((value) => value ?? 0))
  // A limit far above the lines would flatten them, so it is not drawn.
  const isLimitShown = limit !== undefined && limit.value <= highest * 3
  const ticks = niceTicks(isLimitShown ? Math.max(highest, limit.value) : highest)
  const top = Math.max(ticks.at(-1) as number, highest, isLimitShown ? limit.value : 0) || 1
  const labels = ticks.map(chart.formatTick)
  const longest = Math.max(...labels.map(({ length }) => length))
  const left = Math.max(42, longest * CHARACTER + BESIDE_AXIS)
  const box = chartBox(size, [left, 78, 10, 22])
  const xOf = (request: number) =>
    box.x + (count < 2 ? box.width : (request / (count - 1)) * box.width)
  const yOf = (value: number) => box.y + box.height * (1 - value / top)
  const lines = SIDES.map((side) => {
    const points = thinned(series[side])
    const last = points.at(-1)
    const end = { x: last === undefined ? box.x : xOf(last[0]), y: yOf(last?.[1] ?? 0) }
    const path = points
      .map(
        ([at, value], index) => `${index === 0 ? 'M' : 'L'}${short(xOf(at))} ${short(yOf(value))}`,
      )
      .join('')
    const value = last === undefined ? '' : chart.formatValue(last[1])
    return { side, path, label: chart.names[side], value, end, labelY: end.y }
  })
  // Beside the ends of the lines, moved apart so that labels do not overlap.
  const [upper, lower] = lines
    .filter(({ path }) => path !== '')
    .sort((one, other) => one.end.y - other.end.y)
  if (upper && lower) {
    const [half, bottom] = [LABEL_HEIGHT / 2, box.y + box.height]
    const between = (upper.end.y + lower.end.y) / 2
    const middle = Math.max(box.y + 2 * half, Math.min(bottom - 2 * half, between))
    upper.labelY = Math.max(box.y + half, Math.min(upper.end.y, middle - half))
    lower.labelY = Math.min(bottom - half, Math.max(lower.end.y, middle + half))
  }
  const limitAt = yOf(limit?.value ?? 0)
  /** Above the line, or below if there is no space above. */
  const labelY = limitAt - box.y > 8 ? limitAt - 4 : limitAt + 12
  return {
    lines,
    valueTicks: ticks.map((value, at) => ({ at: yOf(value), label: labels[at] as string })),
    requestTicks: requestTicks(count).map((request) => ({
      at: xOf(request),
      label: chart.requestLabel(request),
    })),
    limit: isLimitShown ? { at: limitAt, label: limit.label, labelY } : undefined,
    box,
  }
}

/** Three to five ticks from 0 up to the highest value, in steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(highest: number): number[] {
  // For smaller values a step would round to 0 and the loop would not end.
  if (!(highest > 1e-300)) return [0]
  const power = 10 ** Math.floor(Math.log10(highest / 4))
  const step = ([1, 2, 5].find((factor) => highest / (factor * power) <= 5) ?? 10) * power
  const ticks: number[] = []
  for (let index = 0; index * step <= highest * 1.0001; index++) ticks.push(index * step)
  return ticks
}

/** The first and the last request, and the middle one if there are at least five. */
function requestTicks(count: number): number[] {
  if (count < 2) return Array.from({ length: count }, (_, request) => request)
  return count < 5 ? [0, count - 1] : [0, Math.round((count - 1) / 2), count - 1]
}

function thinned(values: readonly (number | undefined)[]): [at: number, value: number][] {
  const known = values.flatMap((value, at): [number, number][] =>
    value === undefined ? [] : [[at, value]],
  )
  if (known.length <= MOST_POINTS) return known
  const size = known.length / MOST_POINTS
  const points = Array.from({ length: MOST_POINTS }, (_, index) => {
    const bucket = known.slice(Math.floor(index * size), Math.floor((index + 1) * size))
    return bucket.reduce((best, point) => (point[1] > best[1] ? point : best))
  })
  return [...points, known.at(-1) as [number, number]]
}

/** To a tenth of a pixel. */
export function short(value: number): number {
  return Math.round(value * 10) / 10
}

const SIDES = ['before', 'after'] as const

export type Side = (typeof SIDES)[number]

/** One number for each request, before and after masking; undefined where unknown. */
export type RequestSeries = Readonly<Record<Side, readonly (number | undefined)[]>>

type Requests = Pick<ReplayFigures, 'requests'>

/** The cumulative cost of input, with or without caching. It is unknown from the first request with an unknown price on. */
export function costSeries({ requests }: Requests, caching: 'plain' | 'cached'): RequestSeries {
  const sumsOf = (side: Side): (Usd | undefined)[] => {
    let total: Usd | undefined = 0
    return requests.map((request) => {
      const cost = request[side].costs[caching]
      total = total === undefined || cost === undefined ? undefined : total + cost
      return total
    })
  }
  return { before: sumsOf('before'), after: sumsOf('after') }
}

/** Input tokens of each request. */
export function tokenSeries({
  requests,
}: {
  readonly requests: readonly Readonly<Record<Side, { readonly tokens: Tokens }>>[]
}): RequestSeries {
  const tokensOf = (side: Side) => requests.map((request) => request[side].tokens)
  return { before: tokensOf('before'), after: tokensOf('after') }
}

/** Index of the first request that is longer than the context window, before and after masking; undefined if none is. */
export function firstOverflow(
  { requests }: Requests,
  contextTokens: Tokens,
): Readonly<Record<Side, number | undefined>> {
  const firstOf = (side: Side) => {
    const index = requests.findIndex((request) => request[side].tokens > contextTokens)
    return index === -1 ? undefined : index
  }
  return { before: firstOf('before'), after: firstOf('after') }
}
