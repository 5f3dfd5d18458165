import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { stepOfKey } from './step-of-key'
import { useWidth } from './use-width'

/** How a chart of a reader is drawn: its width, the selected place, and what selects one. */
export interface ReadChart {
  readonly width: number
  readonly at: number | undefined
  readonly onPlace: (at: number | undefined) => void
}

/** Charts whose values are read one by one, with the pointer or the arrow keys. Before a place is selected, the last one is read out. */
export function ChartReader(props: {
  readonly label: string
  /** Says what the keys do. */
  readonly keys: string
  /** Shown while no place is selected. */
  readonly hint: string
  /** Describes a place. */
  readonly read: (at: number) => string
  /** Places are from 0 to `last`. */
  readonly last: number
  readonly className?: string
  readonly style?: CSSProperties
  readonly noteClass: string
  readonly children: (chart: ReadChart) => ReactNode
}) {
  const { label, keys, hint, read, last, className = '', style, noteClass, children } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [pointed, onPlace] = useState<number>()
  const at = pointed === undefined ? undefined : Math.min(pointed, last)
  const text = read(at ?? last)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && at !== undefined) {
      // The first Escape clears the selection, the next one closes the drawer.
      event.stopPropagation()
      onPlace(undefined)
      return
    }
    // Without a selection, the arrow keys start at an end.
    const isArrow = event.key.startsWith('Arrow')
    const step = stepOfKey(event, 10, at ?? last, 0, last)
    if (step === undefined) return
    event.preventDefault()
    onPlace(
      at === undefined && isArrow ? (step > last ? 0 : last) : Math.min(last, Math.max(0, step)),
    )
  }
  return (
    <>
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-description={keys}
        aria-valuemin={1}
        aria-valuemax={last + 1}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={text}
        onKeyDown={onKeyDown}
        onBlur={() => onPlace(undefined)}
        className={`rounded-sm outline-offset-4 ${className}`}
        style={style}
      >
        {width > 0 && children({ width, at, onPlace })}
      </div>
      <p className={`mt-1 min-h-9 text-soft text-sm ${noteClass}`} aria-hidden>
        {at === undefined ? hint : text}
      </p>
    </>
  )
}
