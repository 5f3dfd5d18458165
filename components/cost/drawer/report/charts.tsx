/** Draws charts as SVG, in the colours of the page's theme or, in reports and files, of white paper. */

import { type PointerEvent, useMemo } from 'react'
import {
  type ChartLayout,
  type ChartSize,
  layoutChart,
  short,
} from '@/lib/core/report/chart-layout'
import type { AnyChart } from '@/lib/core/report/report-page'
import {
  layoutScatter,
  MARK_KINDS,
  type MarkKind,
  markPath,
  pathOf,
  type ScatterChart,
  type ScatterLayout,
} from '@/lib/core/report/scatter-layout'
import { remInPixels } from '../../../ui/use-width'

/** The theme of white paper. Text colours have a contrast of at least 4.5:1. */
export const PAPER: Readonly<Record<string, string>> = {
  ...{ paper: '#ffffff', ink: '#1c1b1a', soft: '#5e5b55', line: '#e7e3dc' },
  ...{ faint: '#746f68', ghost: '#746f68', accent: '#5b3fd6', good: '#0f7b4f', warn: '#a65a00' },
}

const LINES = {
  before: { stroke: 'var(--ghost)', text: 'var(--faint)' },
  after: { stroke: 'var(--accent)', text: 'var(--accent)' },
}

function layoutOf(chart: AnyChart, size: ChartSize): ChartLayout | ScatterLayout {
  return 'points' in chart ? layoutScatter(chart, size) : layoutChart(chart, size)
}

interface DrawnProps<Layout> {
  readonly layout: Layout
  /** Index of the request or session that is marked. */
  readonly at?: number | undefined
}

/** A chart on the page, where the pointer selects a place: a request or a session. */
export function PageChart(props: {
  readonly chart: AnyChart
  readonly width: number
  readonly height: number
  readonly at?: number | undefined
  readonly onPlace?: (at: number | undefined) => void
}) {
  const { chart, width, height, at, onPlace } = props
  // Laid out for texts of 12 pixels, then scaled with the font of the page.
  const scale = remInPixels() / 16
  const [w, h] = [width / scale, height / scale]
  const layout = useMemo(() => layoutOf(chart, { width: w, height: h }), [chart, w, h])
  const onPointer = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    onPlace?.(layout.placeAt((clientX - left) / scale, (clientY - top) / scale))
  }
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${w} ${h}`}
      fontSize={12}
      aria-hidden
      className="block touch-pan-y"
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => onPlace?.(undefined)}
    >
      <ChartMarks layout={layout} at={at} />
    </svg>
  )
}

/** A chart without a picture of its own. */
function ChartMarks({ layout, ...props }: DrawnProps<ChartLayout | ScatterLayout>) {
  if ('marks' in layout) return <Scatter {...props} layout={layout} />
  return <Lines {...props} layout={layout} />
}

/** Two lines over the requests of a session. */
function Lines({ layout, at }: DrawnProps<ChartLayout>) {
  const { chart, box, requestTicks, limit, lines, xOf, yOf } = layout
  const bottom = box.y + box.height
  return (
    <>
      <ValueTicks ticks={layout.valueTicks} box={box} />
      {requestTicks.map((tick, index) => (
        <text
          key={tick.label}
          x={short(tick.at)}
          y={short(bottom + 15)}
          textAnchor={index === requestTicks.length - 1 ? 'end' : index === 0 ? 'start' : 'middle'}
          fill="var(--soft)"
        >
          {tick.label}
        </text>
      ))}
      {limit !== undefined && (
        <g>
          <path
            d={`M${short(box.x)} ${short(limit.at)}H${short(box.x + box.width)}`}
            strokeDasharray="4 3"
            stroke="var(--warn)"
          />
          <text x={short(box.x + 4)} y={short(limit.labelY)} fill="var(--warn)">
            {limit.label}
          </text>
        </g>
      )}
      {lines.map(({ side, path, label, value, end, labelY }) => {
        if (path === '') return null
        const { stroke, text } = LINES[side]
        const x = short(end.x + 8)
        return (
          <g key={side}>
            <path d={path} fill="none" strokeWidth={1.75} strokeLinejoin="round" stroke={stroke} />
            <circle cx={short(end.x)} cy={short(end.y)} r={2.5} fill={stroke} />
            <text x={x} y={short(labelY - 2)} fill={text}>
              {label}
            </text>
            <text x={x} y={short(labelY + 11)} fontWeight={600} fill={text}>
              {value}
            </text>
          </g>
        )
      })}
      {at !== undefined && (
        <>
          <path d={`M${xOf(at)} ${box.y}V${bottom}`} stroke="var(--ink)" strokeOpacity={0.4} />
          {lines.map(({ side }) => {
            const value = chart.series[side][at]
            if (value === undefined) return null
            const place = { cx: xOf(at), cy: yOf(value), r: 3.5 }
            return (
              <circle
                key={side}
                {...place}
                strokeWidth={1.5}
                stroke="var(--paper)"
                fill={LINES[side].stroke}
              />
            )
          })}
        </>
      )}
    </>
  )
}

/** A mark for each session: its cost before against after. */
function Scatter({ layout, at }: DrawnProps<ScatterLayout>) {
  const { chart, box, ticks, marks } = layout
  const [right, bottom] = [box.x + box.width, box.y + box.height]
  const selected = at === undefined ? undefined : marks[at]
  const label = (x: number, y: number, text: string, anchor?: 'middle' | 'end') => (
    <text x={short(x)} y={short(y)} textAnchor={anchor} fill="var(--soft)">
      {text}
    </text>
  )
  return (
    <>
      <ValueTicks ticks={ticks.after} box={box} />
      {ticks.before.map(({ at: x, label: name }) => (
        <g key={name}>
          <path d={`M${short(x)} ${short(box.y)}V${short(bottom)}`} stroke="var(--line)" />
          {label(x, bottom + 14, name, 'middle')}
        </g>
      ))}
      {label(0, box.y - 8, chart.axes.after)}
      {label(right, bottom + 28, chart.axes.before, 'end')}
      <path
        d={`M${short(box.x)} ${short(bottom)}L${short(right)} ${short(box.y)}`}
        strokeDasharray="4 3"
        stroke="var(--ghost)"
      />
      {label(box.x + 6, box.y + 12, chart.regions.costlier)}
      {label(right - 6, bottom - 7, chart.regions.cheaper, 'end')}
      {MARK_KINDS.map((kind) => (
        <Mark key={kind} path={pathOf(marks, kind)} kind={kind} />
      ))}
      {selected !== undefined && (
        <g stroke="var(--ink)" strokeOpacity={0.4}>
          <path d={`M${box.x} ${selected.y}H${selected.x}V${bottom}`} fill="none" />
          <path d={markPath(selected)} strokeWidth={3} strokeOpacity={1} fill="var(--ink)" />
        </g>
      )}
    </>
  )
}

/** Shape and colour: discs below the diagonal, rings on it, triangles above it. */
function Mark({ path, kind }: { readonly path: string; readonly kind: MarkKind }) {
  if (path === '') return null
  if (kind === 'same') return <path d={path} fill="none" stroke="var(--faint)" />
  if (kind === 'costlier') return <path d={path} fill="var(--warn)" />
  return <path d={path} fill="var(--good)" fillOpacity={0.7} />
}

/** What the marks of a chart mean. */
export function Legend({ chart }: { readonly chart: ScatterChart }) {
  return chart.legend.map(({ kind, label }) => (
    <span key={kind} className="text-soft text-sm">
      <svg width={11} height={11} aria-hidden className="inline-block align-[-1px]">
        <Mark path={markPath({ x: 5.5, y: 6, kind })} kind={kind} />
      </svg>{' '}
      {label}
    </span>
  ))
}

interface TicksProps extends Pick<ScatterLayout, 'box'> {
  readonly ticks: ScatterLayout['ticks']['after']
}

function ValueTicks({ ticks, box: { x, width } }: TicksProps) {
  return ticks.map(({ at, label }) => (
    <g key={label}>
      <path d={`M${short(x)} ${short(at)}H${short(x + width)}`} stroke="var(--line)" />
      <text x={short(x - 6)} y={short(at + 3.5)} textAnchor="end" fill="var(--soft)">
        {label}
      </text>
    </g>
  ))
}

const FONT = '-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif'
/** Between charts that are side by side. */
const GAP = 20
/** Of the title or the legend. */
const HEADING_HEIGHT = 24

/** Charts side by side as a picture of its own, with their titles or legends, on white paper. */
export function ChartPicture(props: {
  readonly charts: readonly AnyChart[]
  readonly width: number
  /** For screen readers. */
  readonly title: string
  readonly description: string
  /** Start of its ids, for a page with several pictures. */
  readonly name?: string
}) {
  const { charts, width, title, description, name = 'chart' } = props
  const height = isTall(charts) ? 340 : 168
  const chartWidth = (width - GAP * (charts.length - 1)) / charts.length
  const size = { width: chartWidth, height, heading: HEADING_HEIGHT }
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
      <rect width={width} height={height} fill="var(--paper)" />
      {charts.map((chart, index) => (
        <g key={chart.title} transform={`translate(${short(index * (chartWidth + GAP))} 0)`}>
          <Heading chart={chart} width={chartWidth} />
          <ChartMarks layout={layoutOf(chart, size)} />
        </g>
      ))}
    </svg>
  )
}

/** A scatter chart needs the whole width. */
export function isTall(charts: readonly AnyChart[]): boolean {
  return charts.some((chart) => 'points' in chart)
}

function Heading({ chart, width }: { readonly chart: AnyChart; readonly width: number }) {
  if (!('points' in chart))
    return (
      <text y={14} fontWeight={600} fill="var(--ink)">
        {chart.title}
      </text>
    )
  const column = width / Math.max(3, chart.legend.length)
  return chart.legend.map(({ kind, label }, at) => (
    <g key={kind} transform={`translate(${short(at * column)} 0)`}>
      <Mark path={markPath({ x: 6, y: 9, kind })} kind={kind} />
      <text x={16} y={13} fill="var(--ink)">
        {label}
      </text>
    </g>
  ))
}
