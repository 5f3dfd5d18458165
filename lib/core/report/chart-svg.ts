/** Writes charts as one self-contained SVG file with a title and a description, without scripts or external styles. */
import { type Chart, type ChartLayout, layoutChart } from './chart-layout'
import { escapeMarkup } from './escape-text'
import type { AnyChart } from './report-page'
import type { Side } from './request-series'
import {
  layoutScatter,
  MARK_KINDS,
  type MarkKind,
  markPath,
  type ScatterChart,
} from './scatter-layout'

export interface ChartColours {
  readonly paper: string
  readonly text: string
  readonly soft: string
  readonly grid: string
  readonly limit: string
  readonly lines: Readonly<Record<Side, string>>
  readonly marks: Readonly<Record<MarkKind, string>>
}

/** Colours for white paper. Text colours have a contrast of at least 4.5:1. */
export const PAPER_COLOURS: ChartColours = {
  paper: '#ffffff',
  text: '#1c1b1a',
  soft: '#5e5b55',
  grid: '#e7e3dc',
  limit: '#a65a00',
  lines: { before: '#746f68', after: '#5b3fd6' },
  marks: { cheaper: '#0f7b4f', same: '#746f68', costlier: '#a65a00' },
}

export interface ChartSvgSettings {
  /** Size of the picture; charts are side by side. */
  readonly width: number
  readonly height: number
  readonly colours: ChartColours
  /** For screen readers. */
  readonly title: string
  readonly description: string
  /** Start of its ids, for a page with several pictures. */
  readonly name?: string
}

const FONT = '-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif'
const GAP = 20
const TITLE_HEIGHT = 22

/** Charts side by side. */
export function chartSvg(charts: readonly AnyChart[], settings: ChartSvgSettings): string {
  const { width, height, colours, name = 'chart' } = settings
  const chartWidth = (width - GAP * (charts.length - 1)) / charts.length
  const drawn = charts.map((chart, index) => {
    const inner =
      'points' in chart
        ? drawScatter(chart, { width: chartWidth, height, colours })
        : drawLines(chart, { width: chartWidth, height, colours })
    return `<g transform="translate(${round(index * (chartWidth + GAP))} 0)">${inner}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${name}-title ${name}-description" font-family="${FONT}" font-size="11" style="font-variant-numeric:tabular-nums">`,
    `<title id="${name}-title">${escapeMarkup(settings.title)}</title>`,
    `<desc id="${name}-description">${escapeMarkup(settings.description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    ...drawn,
    '</svg>',
  ].join('\n')
}

type Drawing = Pick<ChartSvgSettings, 'width' | 'height' | 'colours'>

function drawLines(chart: Chart, { width, height, colours }: Drawing): string {
  const size = { width, height, left: 52, right: 84, top: TITLE_HEIGHT + 12, bottom: 26 }
  const layout: ChartLayout = layoutChart(chart, size)
  const { box, valueTicks, requestTicks, lines, limit } = layout
  const right = box.x + box.width
  const bottom = box.y + box.height
  const parts = [text(chart.title, 0, 14, colours.text, 'font-weight="600" font-size="12"')]
  for (const { at, label } of valueTicks) {
    parts.push(rule(box.x, right, at, colours.grid))
    parts.push(text(label, box.x - 8, at + 3.5, colours.soft, 'text-anchor="end"'))
  }
  for (const [index, { at, label }] of requestTicks.entries()) {
    const isLast = index === requestTicks.length - 1
    const anchor = requestTicks.length === 1 || isLast ? 'end' : index === 0 ? 'start' : 'middle'
    parts.push(text(label, at, bottom + 17, colours.soft, `text-anchor="${anchor}"`))
  }
  if (limit !== undefined) {
    parts.push(rule(box.x, right, limit.at, colours.limit, 'stroke-dasharray="4 3"'))
    parts.push(text(limit.label, box.x + 4, limit.labelY, colours.limit))
  }
  for (const line of lines) {
    if (line.path === '') continue
    const colour = colours.lines[line.side]
    const { x, y } = line.end
    parts.push(
      `<path d="${line.path}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"/>`,
      `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${colour}"/>`,
      text(line.label, x + 9, line.labelY - 2, colour, 'font-weight="500"'),
      text(line.value, x + 9, line.labelY + 11.5, colour, 'font-weight="600"'),
    )
  }
  return parts.join('\n')
}

function drawScatter(chart: ScatterChart, { width, height, colours }: Drawing): string {
  const size = { width, height, left: 52, right: 12, top: TITLE_HEIGHT + 26, bottom: 40 }
  const { box, ticks, paths } = layoutScatter(chart, size)
  const right = box.x + box.width
  const bottom = box.y + box.height
  const { axes, regions, legend } = chart
  const column = width / Math.max(3, legend.length)
  return [
    ...legend.flatMap(({ kind, label }, at) => [
      mark(markPath({ x: 6 + at * column, y: 9, kind }), kind, colours),
      text(label, 16 + at * column, 13, colours.text),
    ]),
    ...ticks.after.flatMap(({ at, label }) => [
      rule(box.x, right, at, colours.grid),
      text(label, box.x - 8, at + 3.5, colours.soft, 'text-anchor="end"'),
    ]),
    ...ticks.before.flatMap(({ at, label }) => [
      `<path d="M${at} ${box.y}V${round(bottom)}" stroke="${colours.grid}"/>`,
      text(label, at, bottom + 16, colours.soft, 'text-anchor="middle"'),
    ]),
    `<path d="M${box.x} ${round(bottom)}L${round(right)} ${box.y}" stroke="${colours.marks.same}" stroke-dasharray="4 3"/>`,
    text(axes.after, 0, box.y - 10, colours.soft),
    text(axes.before, right, bottom + 33, colours.soft, 'text-anchor="end"'),
    text(regions.costlier, box.x + 8, box.y + 14, colours.soft),
    text(regions.cheaper, right - 8, bottom - 8, colours.soft, 'text-anchor="end"'),
    ...MARK_KINDS.map((kind) => mark(paths[kind], kind, colours)),
  ].join('\n')
}

function mark(path: string, kind: MarkKind, { marks }: ChartColours): string {
  const fill = kind === 'same' ? `fill="none" stroke="${marks.same}"` : `fill="${marks[kind]}"`
  return path === '' ? '' : `<path d="${path}" ${fill}/>`
}

function rule(from: number, to: number, y: number, colour: string, more = ''): string {
  return `<line x1="${round(from)}" x2="${round(to)}" y1="${round(y)}" y2="${round(y)}" stroke="${colour}" ${more}/>`
}

function text(content: string, x: number, y: number, colour: string, more = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" fill="${colour}" ${more}>${escapeMarkup(content)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
