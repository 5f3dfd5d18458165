/** Writes charts as one self-contained SVG file with a title and a description, without scripts or external styles. */
import { type Chart, type ChartLayout, layoutChart } from './chart-layout'
import { escapeMarkup } from './escape-text'
import type { Side } from './request-series'

export interface ChartColours {
  readonly paper: string
  readonly text: string
  readonly soft: string
  readonly grid: string
  readonly limit: string
  readonly lines: Readonly<Record<Side, string>>
}

/** Colours for white paper. Text colours have a contrast of at least 4.5:1. */
export const PAPER_COLOURS: ChartColours = {
  paper: '#ffffff',
  text: '#1c1b1a',
  soft: '#5e5b55',
  grid: '#e7e3dc',
  limit: '#a65a00',
  lines: { before: '#746f68', after: '#5b3fd6' },
}

export interface ChartSvgSettings {
  /** Size of the picture; charts are side by side. */
  readonly width: number
  readonly height: number
  readonly colours: ChartColours
  /** For screen readers. */
  readonly title: string
  readonly description: string
}

const FONT = '-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif'
const GAP = 20
const TITLE_HEIGHT = 22

/** Charts side by side. */
export function chartSvg(charts: readonly Chart[], settings: ChartSvgSettings): string {
  const { width, height, colours } = settings
  const chartWidth = (width - GAP * (charts.length - 1)) / charts.length
  const drawn = charts.map((chart, index) => {
    const layout = layoutChart(chart, {
      width: chartWidth,
      height,
      left: 52,
      right: 84,
      top: TITLE_HEIGHT + 12,
      bottom: 26,
    })
    return `<g transform="translate(${round(index * (chartWidth + GAP))} 0)">${drawChart(chart, layout, colours)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="chart-title chart-description" font-family="${FONT}" font-size="11" style="font-variant-numeric:tabular-nums">`,
    `<title id="chart-title">${escapeMarkup(settings.title)}</title>`,
    `<desc id="chart-description">${escapeMarkup(settings.description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    ...drawn,
    '</svg>',
  ].join('\n')
}

function drawChart(chart: Chart, layout: ChartLayout, colours: ChartColours): string {
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

function rule(from: number, to: number, y: number, colour: string, more = ''): string {
  return `<line x1="${round(from)}" x2="${round(to)}" y1="${round(y)}" y2="${round(y)}" stroke="${colour}" ${more}/>`
}

function text(content: string, x: number, y: number, colour: string, more = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" fill="${colour}" ${more}>${escapeMarkup(content)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
