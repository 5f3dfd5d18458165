'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { remInPixels } from '../../ui/rem-in-pixels'

export interface DetailsTableProps {
  readonly label: string
  /** Two rows of headings. */
  readonly head: ReactNode
  readonly count: number
  /** The cells of a row, rendered only once the table is opened; in a long table, while the row is near the view. */
  readonly cells: (row: number) => ReactNode
}

/** A browser takes seconds to draw thousands of rows. */
const MOST_DRAWN = 300
/** In rem, until a row is measured. */
const ROW_HEIGHT = 1.75
const HEAD_ROWS = 2

/** A scrolling table of numbers, closed at first. */
export function DetailsTable({ label, ...table }: DetailsTableProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm py-1 text-soft text-sm hover:text-ink pointer-coarse:py-3">
        {label}
      </summary>
      {isOpen && <ScrollingTable label={label} {...table} />}
    </details>
  )
}

function ScrollingTable({ label, head, count, cells }: DetailsTableProps) {
  const scroller = useRef<HTMLElement>(null)
  const [rowHeight, setRowHeight] = useState(() => ROW_HEIGHT * remInPixels())
  const isLong = count > MOST_DRAWN
  const virtualizer = useVirtualizer({
    count: isLong ? count : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height of the rows moves them all
  useLayoutEffect(() => virtualizer.measure(), [rowHeight])
  const measureRow = (row: HTMLElement | null) => {
    if (row !== null) setRowHeight(row.getBoundingClientRect().height)
  }
  const drawn = virtualizer.getVirtualItems()
  const above = drawn[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  const rows = isLong
    ? drawn.map(({ index }) => index)
    : Array.from({ length: count }, (_, at) => at)
  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="mt-1 max-h-64 overflow-auto rounded-md border border-line"
    >
      <table
        data-long={isLong ? '' : undefined}
        aria-rowcount={isLong ? HEAD_ROWS + count : undefined}
        // Rows of one height; what does not fit scrolls to the side.
        className="w-full text-right text-sm data-long:whitespace-nowrap [&_td]:px-2.5 [&_td]:py-0.5 [&_th]:px-2.5 [&_th]:py-1 [&_th]:font-medium"
      >
        <thead className="sticky top-0 bg-raised text-soft">{head}</thead>
        <Space height={above} />
        <tbody>
          {rows.map((row) => (
            <tr
              key={row}
              ref={isLong && row === rows[0] ? measureRow : undefined}
              aria-rowindex={isLong ? HEAD_ROWS + row + 1 : undefined}
              className={row % 2 === 1 ? 'bg-line/25' : undefined}
            >
              {cells(row)}
            </tr>
          ))}
        </tbody>
        <Space height={below} />
      </table>
    </section>
  )
}

/** Takes the place of rows that are not drawn. */
function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null
  return (
    <tbody aria-hidden="true">
      <tr style={{ height }} />
    </tbody>
  )
}
