/** Draws charts as SVG, in the colours of the page's theme or, in reports and files, of white paper. */

import { type Chart, layoutChart, short } from '@/lib/core/report/chart-layout'
import type { MarkKind, ScatterChart, ScatterLayout } from '@/lib/core/report/scatter-layout'
import { layoutScatter, MARK_KINDS, markPath, pathOf } from '@/lib/core/report/scatter-layout'

/** The theme of white paper. Text colours have a contrast of at least 4.5:1. */
export const PAPER: Readonly<Record<string, string>> = {
  ...{ paper: '#ffffff', ink: '#1c1b1a', soft: '#5e5b55', line: '#e7e3dc' },
  ...{ faint: '#746f68', ghost: '#746f68', accent: '#5b3fd6', good: '#0f7b4f', warn: '#a65a00' },
}

const LINES = {
  before: { stroke: 'var(--ghost)', text: 'var(--faint)' },
  after: { stroke: 'var(--accent)', text: 'var(--accent)' },
}

type AnyChart = Chart | ScatterChart

/** Two lines over the requests of a session. */
function Lines({ layout }: { readonly layout: ReturnType<typeof layoutChart> }) {
  const { box, requestTicks, limit, lines } = layout
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
    </>
  )
}

/** A mark for each session: its cost before against after. Those with labels are drawn one by one, to be pointed at. */
function Scatter({ layout }: { readonly layout: ScatterLayout }) {
  const { chart, box, ticks, marks } = layout
  const [right, bottom] = [box.x + box.width, box.y + box.height]
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
      {chart.labels === undefined
        ? MARK_KINDS.map((kind) => <Mark key={kind} path={pathOf(marks, kind)} kind={kind} />)
        : marks.map((mark, at) => (
            <g key={chart.labels?.[at]} stroke="transparent" strokeWidth={8}>
              <title>{chart.labels?.[at]}</title>
              <Mark path={markPath(mark)} kind={mark.kind} />
            </g>
          ))}
    </>
  )
}

/** Shape and colour: discs below the diagonal, rings on it, triangles above it. */
function Mark({ path, kind }: { readonly path: string; readonly kind: MarkKind }) {
  if (path === '') return null
  if (kind === 'same') return <path d={path} fill="none" stroke="var(--faint)" strokeWidth={1} />
  if (kind === 'costlier') return <path d={path} fill="var(--warn)" />
  return <path d={path} fill="var(--good)" fillOpacity={0.7} />
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
  readonly height: number
  /** For screen readers. */
  readonly title: string
  readonly description: string
  /** Start of its ids, for a page with several pictures. */
  readonly name?: string
}) {
  const { charts, width, height, title, description, name = 'chart' } = props
  const chartWidth = (width - GAP * (charts.length - 1)) / charts.length
  const size = { width: chartWidth, height, heading: HEADING_HEIGHT }
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMinYMid"
      {...{ width, height }}
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
          {'points' in chart ? (
            <Scatter layout={layoutScatter(chart, size)} />
          ) : (
            <Lines layout={layoutChart(chart, size)} />
          )}
        </g>
      ))}
    </svg>
  )
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
