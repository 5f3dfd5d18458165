'use client'

import { type PointerEvent, useMemo } from 'react'
import { type Chart, type ChartLayout, layoutChart } from '@/lib/core/report/chart-layout'
import type { Side } from '@/lib/core/report/request-series'
import { remInPixels } from '../../ui/rem-in-pixels'

export interface SessionChartProps {
  readonly chart: Chart
  readonly width: number
  readonly height: number
  /** Index of the selected request. */
  readonly request: number | undefined
  readonly onRequest: (request: number | undefined) => void
}

const STROKES: Readonly<Record<Side, string>> = { before: 'stroke-ghost', after: 'stroke-accent' }
const FILLS: Readonly<Record<Side, string>> = { before: 'fill-ghost', after: 'fill-accent' }
const TEXTS: Readonly<Record<Side, string>> = { before: 'fill-faint', after: 'fill-accent' }

/** Two lines over the requests, with the selected request marked on both. */
export function SessionChart({ chart, width, height, request, onRequest }: SessionChartProps) {
  // Laid out for texts of 12 pixels, then scaled with the font of the page.
  const scale = remInPixels() / 16
  const [w, h] = [width / scale, height / scale]
  const layout = useMemo(
    () => layoutChart(chart, { width: w, height: h, left: 42, right: 78, top: 10, bottom: 22 }),
    [chart, w, h],
  )
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    onRequest(layout.requestAt((event.clientX - left) / scale))
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
      onPointerLeave={() => onRequest(undefined)}
    >
      <Axes layout={layout} />
      {layout.lines.map((line) => (
        <g key={line.side}>
          <path
            d={line.path}
            fill="none"
            strokeWidth={1.75}
            strokeLinejoin="round"
            className={STROKES[line.side]}
          />
          {line.path !== '' && (
            <>
              <circle cx={line.end.x} cy={line.end.y} r={2.5} className={FILLS[line.side]} />
              <text x={line.end.x + 8} className={TEXTS[line.side]}>
                <tspan x={line.end.x + 8} y={line.labelY - 2}>
                  {line.label}
                </tspan>
                <tspan x={line.end.x + 8} y={line.labelY + 11} className="font-semibold">
                  {line.value}
                </tspan>
              </text>
            </>
          )}
        </g>
      ))}
      {request !== undefined && <Reading chart={chart} layout={layout} request={request} />}
    </svg>
  )
}

function Axes({ layout }: { readonly layout: ChartLayout }) {
  const { box, valueTicks, requestTicks, limit } = layout
  const right = box.x + box.width
  return (
    <>
      {valueTicks.map(({ at, label }) => (
        <g key={label}>
          <line x1={box.x} x2={right} y1={at} y2={at} className="stroke-line" />
          <text x={box.x - 6} y={at + 3.5} textAnchor="end" className="fill-soft">
            {label}
          </text>
        </g>
      ))}
      {requestTicks.map(({ at, label }, index) => (
        <text
          key={label}
          x={at}
          y={box.y + box.height + 15}
          textAnchor={index === requestTicks.length - 1 ? 'end' : index === 0 ? 'start' : 'middle'}
          className="fill-soft"
        >
          {label}
        </text>
      ))}
      {limit !== undefined && (
        <>
          <line
            x1={box.x}
            x2={right}
            y1={limit.at}
            y2={limit.at}
            strokeDasharray="4 3"
            className="stroke-warn"
          />
          <text x={box.x + 4} y={limit.labelY} className="fill-warn">
            {limit.label}
          </text>
        </>
      )}
    </>
  )
}

function Reading({
  chart,
  layout,
  request,
}: {
  readonly chart: Chart
  readonly layout: ChartLayout
  readonly request: number
}) {
  const { box, xOf, yOf } = layout
  const x = xOf(request)
  return (
    <>
      <line x1={x} x2={x} y1={box.y} y2={box.y + box.height} className="stroke-ink/40" />
      {(['before', 'after'] as const).map((side) => {
        const value = chart.series[side][request]
        if (value === undefined) return null
        return (
          <circle
            key={side}
            cx={x}
            cy={yOf(value)}
            r={3.5}
            strokeWidth={1.5}
            className={`stroke-paper ${FILLS[side]}`}
          />
        )
      })}
    </>
  )
}
