'use client'

import { type PointerEvent, useMemo } from 'react'
import type { Chart } from '@/lib/core/report/chart-layout'
import { remInPixels } from '../../ui/rem-in-pixels'
import { LineChart, lineLayout, PAGE_COLOURS } from './report/charts'

export interface SessionChartProps {
  readonly chart: Chart
  readonly width: number
  readonly height: number
  /** Index of the selected request. */
  readonly request?: number | undefined
  readonly onRequest?: (request: number | undefined) => void
}

/** Two lines over the requests, with the selected request marked on both. */
export function SessionChart({ chart, width, height, request, onRequest }: SessionChartProps) {
  // Laid out for texts of 12 pixels, then scaled with the font of the page.
  const scale = remInPixels() / 16
  const [w, h] = [width / scale, height / scale]
  const layout = useMemo(() => lineLayout(chart, w, h), [chart, w, h])
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    onRequest?.(layout.requestAt((event.clientX - left) / scale))
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
      onPointerLeave={() => onRequest?.(undefined)}
    >
      <LineChart chart={chart} layout={layout} colours={PAGE_COLOURS} request={request} />
    </svg>
  )
}
