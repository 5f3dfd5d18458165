import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
/** Draws the marks of the timeline. Kinds differ in shape as well as colour. */
import {
  MARK_KINDS,
  type MarkKind,
  type TimelineColumn,
  type TimelineSize,
} from '@/lib/state/timeline/timeline-layout'

/** Space above the tallest mark for the dot of an error and the cross of a broken result, in CSS pixels. */
export const HEADROOM = 9

const VARIABLE_OF_KIND: Readonly<Record<MarkKind, string>> = {
  system: '--faint',
  user: '--ink',
  assistant: '--ghost',
  other: '--ghost',
  in_window: '--good',
  kept: '--ghost',
  masked: '--accent',
  kept_error: '--warn',
  broken: '--bad',
}

/** Messages that are neither from a user nor results are drawn in the background. */
const OPACITY_OF_KIND: Readonly<Partial<Record<MarkKind, number>>> = {
  assistant: 0.46,
  other: 0.46,
  system: 0.7,
  in_window: 0.85,
}

const GHOST_OPACITY = 0.24

export type TimelineColours = Readonly<Record<MarkKind, string>>

/** Reads the colours of the theme. This forces a style computation, so do it once per theme, not per drawing. */
export function readColours(element: Element): TimelineColours {
  const style = getComputedStyle(element)
  const colours = MARK_KINDS.map((kind) => {
    return [kind, style.getPropertyValue(VARIABLE_OF_KIND[kind]).trim()] as const
  })
  return Object.fromEntries(colours) as TimelineColours
}

/** Draws on an empty canvas, one colour after another, since changing the colour is expensive. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  columns: readonly TimelineColumn[],
  size: TimelineSize,
  colours: TimelineColours,
): void {
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  const bottom = context.canvas.height
  for (const kind of MARK_KINDS) {
    const marks = columns.filter((column) => column.kind === kind)
    context.fillStyle = colours[kind]
    context.strokeStyle = colours[kind]
    if (kind === 'masked') {
      context.globalAlpha = GHOST_OPACITY
      for (const { x, width, ghostHeight } of marks)
        context.fillRect(x, bottom - ghostHeight, width, ghostHeight)
    }
    context.globalAlpha = OPACITY_OF_KIND[kind] ?? 1
    for (const mark of marks) drawBar(context, mark, bottom, size.scale)
    context.globalAlpha = 1
  }
  cutTops(context, columns, bottom, size.scale)
  drawSigns(context, columns, bottom, size.scale, colours)
}

/** Draws a gap near the top of marks that are cut off. */
function cutTops(
  context: CanvasRenderingContext2D,
  columns: readonly TimelineColumn[],
  bottom: number,
  scale: number,
): void {
  for (const { x, width, height, ghostHeight, isCut } of columns)
    if (isCut)
      context.clearRect(x, bottom - Math.max(height, ghostHeight) + 3 * scale, width, scale)
}

function drawBar(
  context: CanvasRenderingContext2D,
  { kind, x, width, height }: TimelineColumn,
  bottom: number,
  scale: number,
): void {
  const isHollow = (kind === 'broken' || kind === 'kept') && width >= 4 * scale
  if (!isHollow) {
    context.fillRect(x, bottom - height, width, height)
    return
  }
  if (kind === 'kept') {
    context.globalAlpha = 0.3
    context.fillRect(x, bottom - height, width, height)
    context.globalAlpha = 1
  }
  context.lineWidth = scale
  context.strokeRect(x + scale / 2, bottom - height + scale / 2, width - scale, height - scale / 2)
}

function drawSigns(
  context: CanvasRenderingContext2D,
  columns: readonly TimelineColumn[],
  bottom: number,
  scale: number,
  colours: TimelineColours,
): void {
  const reach = 2 * scale
  const last = context.canvas.width - reach
  const centreOf = ({ x, width, height, ghostHeight }: TimelineColumn) => ({
    x: Math.min(last, Math.max(reach, x + width / 2)),
    y: bottom - Math.max(height, ghostHeight) - 2.5 * reach,
  })
  context.fillStyle = colours.kept_error
  context.beginPath()
  for (const column of columns) {
    if (!column.hasError) continue
    const { x, y } = centreOf(column)
    context.moveTo(x + reach, y)
    context.arc(x, y, reach, 0, 2 * Math.PI)
  }
  context.fill()
  context.strokeStyle = colours.broken
  context.lineWidth = 1.5 * scale
  context.beginPath()
  for (const column of columns) {
    if (!column.hasBroken) continue
    const { x, y } = centreOf(column)
    context.moveTo(x - reach, y - reach)
    context.lineTo(x + reach, y + reach)
    context.moveTo(x + reach, y - reach)
    context.lineTo(x - reach, y + reach)
  }
  context.stroke()
}

const NO_SIZE: TimelineSize = { width: 0, height: 0, scale: 1 }

/** Size of an element in device pixels, so that drawings are crisp. */
export function useDeviceSize(element: RefObject<HTMLElement | null>): TimelineSize {
  const [size, setSize] = useState(NO_SIZE)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const scale = window.devicePixelRatio
      const exact = entry.devicePixelContentBoxSize?.[0]
      setSize({
        width: exact?.inlineSize ?? Math.round(entry.contentRect.width * scale),
        height: exact?.blockSize ?? Math.round(entry.contentRect.height * scale),
        scale,
      })
    })
    try {
      observer.observe(current, { box: 'device-pixel-content-box' })
    } catch {
      // Safari does not support this box.
      observer.observe(current)
    }
    return () => observer.disconnect()
  }, [element])
  return size
}

function subscribeToTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['class'] })
  return () => observer.disconnect()
}

/** The theme class, which changes with the colours. */
export function useThemeClass(): string {
  return useSyncExternalStore(
    subscribeToTheme,
    () => document.documentElement.className,
    () => '',
  )
}
