import type { CSSProperties, KeyboardEvent, ReactNode, Ref } from 'react'

export interface ChartReaderProps {
  readonly ref: Ref<HTMLDivElement>
  readonly label: string
  /** Says what the keys do. */
  readonly keys: string
  /** Describes the selected place, or the last one. */
  readonly text: string
  /** The selected place, from 0 to `last`; undefined for none. */
  readonly at: number | undefined
  readonly last: number
  readonly onPlace: (at: number | undefined) => void
  readonly className: string
  readonly style: CSSProperties
  readonly children: ReactNode
}

/** Charts whose values are read one by one, with the arrow keys. */
export function ChartReader(props: ChartReaderProps) {
  const { ref, label, keys, text, at, last, onPlace, className, style, children } = props
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && at !== undefined) {
      // The first Escape clears the selection, the next one closes the drawer.
      event.stopPropagation()
      onPlace(undefined)
      return
    }
    const target = placeOfKey(event.key, at, last)
    if (target === undefined) return
    event.preventDefault()
    onPlace(Math.min(last, Math.max(0, target)))
  }
  return (
    <div
      ref={ref}
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
      className={className}
      style={style}
    >
      {children}
    </div>
  )
}

function placeOfKey(key: string, at: number | undefined, last: number): number | undefined {
  const from = at ?? last
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at === undefined ? last : from - 1
    case 'ArrowRight':
    case 'ArrowUp':
      return at === undefined ? 0 : from + 1
    case 'PageUp':
      return from + 10
    case 'PageDown':
      return from - 10
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
