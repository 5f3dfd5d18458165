/** Draws the marks of the timeline. Kinds differ in shape as well as colour. */
import { memo, type RefObject, useEffect, useId, useState } from 'react'
import type { MarkKind, TimelineColumn, TimelineSize } from '@/lib/state/timeline/timeline-layout'

/** Space above the tallest mark for the dot of an error and the cross of a broken result, in CSS pixels. */
const HEADROOM = 9

export const belowHeadroom = ({ width, height, scale }: TimelineSize): TimelineSize => ({
  width,
  height: Math.max(0, height - HEADROOM * scale),
  scale,
})

const HOLLOW = { kept: 'fill-ghost/30 stroke-ghost', broken: 'fill-none stroke-bad' }

/** Messages that are neither from a user nor results are in the background. */
const FILLS: Readonly<Record<MarkKind, string>> = {
  system: 'fill-faint opacity-70',
  user: 'fill-ink',
  assistant: 'fill-ghost opacity-46',
  other: 'fill-ghost opacity-46',
  in_window: 'fill-good opacity-85 forced-colors:fill-[LinkText]',
  kept: 'fill-ghost',
  masked: 'fill-accent',
  kept_error: 'fill-warn',
  broken: 'fill-bad',
}

/** Marks in device pixels, so that they are crisp; one path for all marks that look alike. */
export const TimelineMarks = memo(function TimelineMarks(props: {
  readonly columns: readonly TimelineColumn[]
  readonly size: TimelineSize
}) {
  const { columns, size } = props
  const { width, height: bottom, scale } = size
  const id = useId()
  const pathOf = (draw: (column: TimelineColumn) => string | false) =>
    columns.flatMap((column) => draw(column) || []).join('')
  const marks = (className: string, draw: Parameters<typeof pathOf>[0], lineWidth?: number) => (
    <path key={className} d={pathOf(draw)} strokeWidth={lineWidth} className={className} />
  )
  const isHollow = ({ kind, width }: TimelineColumn) =>
    (kind === 'kept' || kind === 'broken') && width >= 4 * scale
  /** A box on the bottom, smaller on the other sides by `inset`. */
  const box = ({ x, width }: TimelineColumn, height: number, inset = 0) =>
    `M${x + inset} ${bottom}v${inset - height}h${width - 2 * inset}v${height - inset}z`
  const topOf = ({ height, ghostHeight }: TimelineColumn) => bottom - Math.max(height, ghostHeight)
  /** Above a mark, and within the strip. */
  const above = (column: TimelineColumn) => {
    const x = Math.max(2 * scale, column.x + column.width / 2)
    return `M${Math.min(width - 2 * scale, x)} ${topOf(column) - 5 * scale}`
  }
  const [reach, length] = [2 * scale, 4 * scale]
  const cross = `m-${reach} -${reach}l${length} ${length}m-${length} 0l${length} -${length}`
  const gaps = pathOf(
    (one) =>
      one.isCut && `M${one.x} ${topOf(one) + 3 * scale}h${one.width}v${scale}h${-one.width}z`,
  )
  return (
    <svg
      aria-hidden="true"
      data-picture="bars"
      viewBox={`0 0 ${width} ${bottom}`}
      className="absolute inset-0 size-full"
    >
      {/* Marks that are cut off have a gap near the top. */}
      <clipPath id={id}>
        <path clipRule="evenodd" d={`M0 0H${width}V${bottom}H0z${gaps}`} />
      </clipPath>
      <g clipPath={gaps === '' ? undefined : `url(#${id})`} shapeRendering="crispEdges">
        {marks(
          'fill-accent opacity-24',
          (one) => one.kind === 'masked' && box(one, one.ghostHeight),
        )}
        {[...new Set(Object.values(FILLS))].map((fill) =>
          marks(fill, (one) => FILLS[one.kind] === fill && !isHollow(one) && box(one, one.height)),
        )}
        {(['kept', 'broken'] as const).map((kind) =>
          marks(
            HOLLOW[kind],
            (one) => one.kind === kind && isHollow(one) && box(one, one.height, scale / 2),
            scale,
          ),
        )}
      </g>
      {marks(
        'stroke-warn [stroke-linecap:round]',
        (one) => one.hasError && `${above(one)}v0`,
        length,
      )}
      {marks('fill-none stroke-bad', (one) => one.hasBroken && above(one) + cross, 1.5 * scale)}
    </svg>
  )
})

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
