'use client'

import { useLayoutEffect, useRef } from 'react'
import type { TimelineColumn, TimelineSize } from '@/lib/state/timeline-layout'
import { drawTimeline, readColours, type TimelineColours } from './draw-timeline'
import { useThemeClass } from './use-device-size'

/** The marks, drawn anew whenever they, the size or the theme change; its time is the page's measure `timeline`. */
export function TimelineCanvas({
  columns,
  size,
}: {
  readonly columns: readonly TimelineColumn[]
  readonly size: TimelineSize
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeClass()
  const colours = useRef<{ readonly theme: string; readonly values: TimelineColours }>(undefined)
  useLayoutEffect(() => {
    const { current } = canvas
    const context = current?.getContext('2d')
    if (!current || !context || size.width === 0) return
    const start = performance.now()
    // Setting a canvas's size allocates it anew, even to the same size.
    if (current.width !== size.width) current.width = size.width
    if (current.height !== size.height) current.height = size.height
    if (colours.current?.theme !== theme) colours.current = { theme, values: readColours(current) }
    drawTimeline(context, columns, size, colours.current.values)
    performance.clearMeasures('timeline')
    performance.measure('timeline', { start })
  }, [columns, size, theme])
  return <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />
}
