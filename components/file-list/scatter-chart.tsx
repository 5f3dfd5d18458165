'use client'

import { type PointerEvent, useMemo } from 'react'
import type { ChartTick } from '@/lib/core/report/chart-layout'
import {
  layoutScatter,
  MARK_KINDS,
  type MarkKind,
  markPath,
  type ScatterChart as Scatter,
  type ScatterLayout,
} from '@/lib/core/report/scatter-layout'

export interface ScatterChartProps {
  readonly chart: Scatter
  readonly width: number
  readonly height: number
  /** Index of the selected point. */
  readonly at: number | undefined
  readonly onPoint: (at: number | undefined) => void
}

/** Shape and colour: discs below the diagonal, rings on it, triangles above it. */
const MARK_CLASSES: Readonly<Record<MarkKind, string>> = {
  cheaper: 'fill-good/70',
  same: 'fill-none stroke-faint',
  costlier: 'fill-warn',
}

/** A mark as in the chart, for its legend. */
export function MarkSwatch({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg width={11} height={11} aria-hidden className="inline-block align-[-1px]">
      <path d={markPath({ x: 5.5, y: 6, kind })} className={MARK_CLASSES[kind]} />
    </svg>
  )
}

/** A mark for each session: its cost before against after. */
export function ScatterChart({ chart, width, height, at, onPoint }: ScatterChartProps) {
  const layout = useMemo(
    () => layoutScatter(chart, { width, height, left: 46, right: 8, top: 18, bottom: 32 }),
    [chart, width, height],
  )
  const { box, paths, marks } = layout
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    onPoint(layout.nearestTo(event.clientX - left, event.clientY - top))
  }
  const selected = at === undefined ? undefined : marks[at]
  return (
    <svg
      width={width}
      height={height}
      aria-hidden
      className="block touch-pan-y text-xs"
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => onPoint(undefined)}
    >
      <Axes chart={chart} layout={layout} />
      {MARK_KINDS.map((kind) => (
        <path key={kind} d={paths[kind]} className={MARK_CLASSES[kind]} />
      ))}
      {selected !== undefined && (
        <g className="stroke-ink/40">
          <path d={`M${box.x} ${selected.y}H${selected.x}V${box.y + box.height}`} fill="none" />
          <path d={markPath(selected)} strokeWidth={3} className="fill-ink stroke-ink" />
        </g>
      )}
    </svg>
  )
}

function Axes({ chart, layout }: { readonly chart: Scatter; readonly layout: ScatterLayout }) {
  const { box, ticks } = layout
  const right = box.x + box.width
  const bottom = box.y + box.height
  return (
    <>
      {ticks.after.map(({ at, label }: ChartTick) => (
        <g key={label}>
          <path d={`M${box.x} ${at}H${right}`} className="stroke-line" />
          <text x={box.x - 6} y={at + 3.5} textAnchor="end" className="fill-soft">
            {label}
          </text>
        </g>
      ))}
      {ticks.before.map(({ at, label }) => (
        <g key={label}>
          <path d={`M${at} ${box.y}V${bottom}`} className="stroke-line" />
          <text x={at} y={bottom + 14} textAnchor="middle" className="fill-soft">
            {label}
          </text>
        </g>
      ))}
      <text x={0} y={10} className="fill-soft">
        {chart.axes.after}
      </text>
      <text x={right} y={bottom + 28} textAnchor="end" className="fill-soft">
        {chart.axes.before}
      </text>
      <path
        d={`M${box.x} ${bottom}L${right} ${box.y}`}
        strokeDasharray="4 3"
        className="stroke-ghost"
      />
      <text x={box.x + 6} y={box.y + 12} className="fill-soft">
        {chart.regions.costlier}
      </text>
      <text x={right - 6} y={bottom - 7} textAnchor="end" className="fill-soft">
        {chart.regions.cheaper}
      </text>
    </>
  )
}
