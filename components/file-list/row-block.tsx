import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { remInPixels } from '../ui/rem-in-pixels'

/** In rem, until it was measured. */
const ROW_HEIGHT = 1.6875

/**
 * Rows of a table that are in the DOM only while they are near the visible part, since browsers lay out a whole table
 * anew whenever a row changes. Each block is as high as its rows were, so that nothing moves.
 */
export function RowBlock({
  rows,
  columns,
  isKept,
  onKeyDown,
  render,
}: {
  readonly rows: number
  readonly columns: number
  /** True if its rows stay in the DOM, for the focus. */
  readonly isKept: boolean
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly render: () => ReactNode
}) {
  const block = useRef<HTMLTableSectionElement>(null)
  const [isNear, setNear] = useState(false)
  const [height, setHeight] = useState(() => rows * ROW_HEIGHT * remInPixels())
  useEffect(() => {
    const observed = block.current
    if (observed === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        // A closed list has no height.
        if (entry === undefined || entry.rootBounds?.height === 0) return
        setNear(entry.isIntersecting)
        if (!entry.isIntersecting) setHeight(entry.boundingClientRect.height)
      },
      { root: scrollerOf(observed), rootMargin: '50%' },
    )
    observer.observe(observed)
    return () => observer.disconnect()
  }, [])
  return (
    <tbody ref={block} onKeyDown={onKeyDown} className="[&:last-of-type>tr:last-child]:border-b-0">
      {isNear || isKept ? (
        render()
      ) : (
        <tr aria-hidden style={{ height }}>
          <td colSpan={columns} className="p-0!" />
        </tr>
      )}
    </tbody>
  )
}

/** The element that scrolls what is in it; null for the page. */
function scrollerOf(element: Element | null): Element | null {
  if (element === null || /auto|scroll/.test(getComputedStyle(element).overflowY)) return element
  return scrollerOf(element.parentElement)
}
