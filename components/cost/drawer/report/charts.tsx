/** Draws charts as SVG: on the page in its colours, and on white paper in reports and files. */

import type { Side } from '@/lib/core/report/chart-layout'
import {
  type Chart,
  type ChartLayout,
  type ChartTick,
  layoutChart,
} from '@/lib/core/report/chart-layout'
import type { AnyChart } from '@/lib/core/report/report-page'
import {
  layoutScatter,
  MARK_KINDS,
  type MarkKind,
  markPath,
  type ScatterChart,
  type ScatterLayout,
} from '@/lib/core/report/scatter-layout'

export interface ChartColours {
  readonly paper: string
  readonly text: string
  readonly soft: string
  readonly grid: string
  readonly limit: string
  readonly lines: Readonly<Record<Side, string>>
  /** Labels of the lines. */
  readonly names: Readonly<Record<Side, string>>
  readonly diagonal: string
  readonly marks: Readonly<Record<MarkKind, string>>
}

/** Colours for white paper. Text colours have a contrast of at least 4.5:1. */
const PAPER_COLOURS: ChartColours = {
  paper: '#ffffff',
  text: '#1c1b1a',
  soft: '#5e5b55',
  grid: '#e7e3dc',
  limit: '#a65a00',
  lines: { before: '#746f68', after: '#5b3fd6' },
  names: { before: '#746f68', after: '#5b3fd6' },
  diagonal: '#746f68',
  marks: { cheaper: '#0f7b4f', same: '#746f68', costlier: '#a65a00' },
}

/** The colours of the page's theme. */
export const PAGE_COLOURS: ChartColours = {
  paper: 'var(--paper)',
  text: 'var(--ink)',
  soft: 'var(--soft)',
  grid: 'var(--line)',
  limit: 'var(--warn)',
  lines: { before: 'var(--ghost)', after: 'var(--accent)' },
  names: { before: 'var(--faint)', after: 'var(--accent)' },
  diagonal: 'var(--ghost)',
  marks: { cheaper: 'var(--good)', same: 'var(--faint)', costlier: 'var(--warn)' },
}

/** Height of what a picture has above a chart and the page beside it: the title, or the legend. */
const HEADING_HEIGHT = 24

export function lineLayout(chart: Chart, width: number, height: number, top = 10): ChartLayout {
  return layoutChart(chart, { width, height, left: 42, right: 78, top, bottom: 22 })
}

export function scatterLayout(
  chart: ScatterChart,
  width: number,
  height: number,
  top = 18,
): ScatterLayout {
  return layoutScatter(chart, { width, height, left: 46, right: 8, top, bottom: 32 })
}

export interface LineChartProps {
  readonly chart: Chart
  readonly layout: ChartLayout
  readonly colours: ChartColours
  /** Index of the request that is marked on both lines. */
  readonly request?: number | undefined
}

/** Two lines over the requests of a session. */
export function LineChart({ chart, layout, colours, request }: LineChartProps) {
  const { box, valueTicks, requestTicks, limit, lines, xOf, yOf } = layout
  const [right, bottom] = [box.x + box.width, box.y + box.height]
  const marked = request === undefined ? undefined : xOf(request)
  return (
    <>
      <ValueTicks ticks={valueTicks} left={box.x} right={right} colours={colours} />
      {requestTicks.map(({ at, label }, index) => (
        <text
          key={label}
          x={round(at)}
          y={round(bottom + 15)}
          textAnchor={index === requestTicks.length - 1 ? 'end' : index === 0 ? 'start' : 'middle'}
          fill={colours.soft}
        >
          {label}
        </text>
      ))}
      {limit !== undefined && (
        <g>
          <path
            d={`M${round(box.x)} ${round(limit.at)}H${round(right)}`}
            strokeDasharray="4 3"
            stroke={colours.limit}
          />
          <text x={round(box.x + 4)} y={round(limit.labelY)} fill={colours.limit}>
            {limit.label}
          </text>
        </g>
      )}
      {lines.map(
        ({ side, path, label, value, end, labelY }) =>
          path !== '' && (
            <g key={side}>
              <path
                d={path}
                fill="none"
                strokeWidth={1.75}
                strokeLinejoin="round"
                stroke={colours.lines[side]}
              />
              <circle cx={round(end.x)} cy={round(end.y)} r={2.5} fill={colours.lines[side]} />
              <text x={round(end.x + 8)} y={round(labelY - 2)} fill={colours.names[side]}>
                {label}
              </text>
              <text
                x={round(end.x + 8)}
                y={round(labelY + 11)}
                fontWeight={600}
                fill={colours.names[side]}
              >
                {value}
              </text>
            </g>
          ),
      )}
      {request !== undefined && marked !== undefined && (
        <>
          <path d={`M${marked} ${box.y}V${bottom}`} stroke={colours.text} strokeOpacity={0.4} />
          {(['before', 'after'] as const).map((side) => {
            const value = chart.series[side][request]
            if (value === undefined) return null
            const at = { cx: marked, cy: yOf(value) }
            return (
              <circle
                key={side}
                {...at}
                r={3.5}
                strokeWidth={1.5}
                stroke={colours.paper}
                fill={colours.lines[side]}
              />
            )
          })}
        </>
      )}
    </>
  )
}

export interface ScatterProps {
  readonly chart: ScatterChart
  readonly layout: ScatterLayout
  readonly colours: ChartColours
  /** Index of the session that is marked. */
  readonly at?: number | undefined
}

/** A mark for each session: its cost before against after. */
export function Scatter({ chart, layout, colours, at }: ScatterProps) {
  const { box, ticks, paths, marks } = layout
  const [right, bottom] = [box.x + box.width, box.y + box.height]
  const { soft } = colours
  const selected = at === undefined ? undefined : marks[at]
  return (
    <>
      <ValueTicks ticks={ticks.after} left={box.x} right={right} colours={colours} />
      {ticks.before.map(({ at: x, label }) => (
        <g key={label}>
          <path d={`M${round(x)} ${round(box.y)}V${round(bottom)}`} stroke={colours.grid} />
          <text x={round(x)} y={round(bottom + 14)} textAnchor="middle" fill={soft}>
            {label}
          </text>
        </g>
      ))}
      <text x={0} y={round(box.y - 8)} fill={soft}>
        {chart.axes.after}
      </text>
      <text x={round(right)} y={round(bottom + 28)} textAnchor="end" fill={soft}>
        {chart.axes.before}
      </text>
      <path
        d={`M${round(box.x)} ${round(bottom)}L${round(right)} ${round(box.y)}`}
        strokeDasharray="4 3"
        stroke={colours.diagonal}
      />
      <text x={round(box.x + 6)} y={round(box.y + 12)} fill={soft}>
        {chart.regions.costlier}
      </text>
      <text x={round(right - 6)} y={round(bottom - 7)} textAnchor="end" fill={soft}>
        {chart.regions.cheaper}
      </text>
      {MARK_KINDS.map((kind) => (
        <Mark key={kind} path={paths[kind]} kind={kind} colours={colours} />
      ))}
      {selected !== undefined && (
        <g stroke={colours.text} strokeOpacity={0.4}>
          <path d={`M${box.x} ${selected.y}H${selected.x}V${bottom}`} fill="none" />
          <path d={markPath(selected)} strokeWidth={3} strokeOpacity={1} fill={colours.text} />
        </g>
      )}
    </>
  )
}

export interface MarkProps {
  readonly path: string
  readonly kind: MarkKind
  readonly colours: ChartColours
}

/** Shape and colour: discs below the diagonal, rings on it, triangles above it. */
export function Mark({ path, kind, colours: { marks } }: MarkProps) {
  if (path === '') return null
  if (kind === 'same') return <path d={path} fill="none" stroke={marks.same} />
  return <path d={path} fill={marks[kind]} fillOpacity={kind === 'cheaper' ? 0.7 : 1} />
}

interface ValueTicksProps {
  readonly ticks: readonly ChartTick[]
  readonly left: number
  readonly right: number
  readonly colours: ChartColours
}

function ValueTicks({ ticks, left, right, colours }: ValueTicksProps) {
  return ticks.map(({ at, label }) => (
    <g key={label}>
      <path d={`M${round(left)} ${round(at)}H${round(right)}`} stroke={colours.grid} />
      <text x={round(left - 6)} y={round(at + 3.5)} textAnchor="end" fill={colours.soft}>
        {label}
      </text>
    </g>
  ))
}

const FONT = '-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif'
/** Between charts that are side by side. */
const GAP = 20

export interface ChartPictureProps {
  readonly charts: readonly AnyChart[]
  readonly width: number
  readonly height: number
  /** For screen readers. */
  readonly title: string
  readonly description: string
  /** Start of its ids, for a page with several pictures. */
  readonly name?: string
}

/** Charts side by side as a picture of its own, with their titles or legends, on white paper. */
export function ChartPicture(props: ChartPictureProps) {
  const { charts, width, height, title, description, name = 'chart' } = props
  const chartWidth = (width - GAP * (charts.length - 1)) / charts.length
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-labelledby={`${name}-title ${name}-description`}
      fontFamily={FONT}
      fontSize={12}
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      <title id={`${name}-title`}>{title}</title>
      <desc id={`${name}-description`}>{description}</desc>
      <rect width={width} height={height} fill={PAPER_COLOURS.paper} />
      {charts.map((chart, index) => (
        <g key={chart.title} transform={`translate(${round(index * (chartWidth + GAP))} 0)`}>
          {'points' in chart ? (
            <ScatterOnPaper chart={chart} width={chartWidth} height={height} />
          ) : (
            <LinesOnPaper chart={chart} width={chartWidth} height={height} />
          )}
        </g>
      ))}
    </svg>
  )
}

interface OnPaperProps<Drawn> {
  readonly chart: Drawn
  readonly width: number
  readonly height: number
}

function LinesOnPaper({ chart, width, height }: OnPaperProps<Chart>) {
  const layout = lineLayout(chart, width, height, 10 + HEADING_HEIGHT)
  return (
    <>
      <text y={14} fontWeight={600} fill={PAPER_COLOURS.text}>
        {chart.title}
      </text>
      <LineChart chart={chart} layout={layout} colours={PAPER_COLOURS} />
    </>
  )
}

function ScatterOnPaper({ chart, width, height }: OnPaperProps<ScatterChart>) {
  const { legend } = chart
  const column = width / Math.max(3, legend.length)
  const layout = scatterLayout(chart, width, height, 18 + HEADING_HEIGHT)
  return (
    <>
      {legend.map(({ kind, label }, at) => (
        <g key={kind} transform={`translate(${round(at * column)} 0)`}>
          <Mark path={markPath({ x: 6, y: 9, kind })} kind={kind} colours={PAPER_COLOURS} />
          <text x={16} y={13} fill={PAPER_COLOURS.text}>
            {label}
          </text>
        </g>
      ))}
      <Scatter chart={chart} layout={layout} colours={PAPER_COLOURS} />
    </>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
