import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay, ReplaySide } from '@/lib/core/replay/replay'
import { costSeries, type RequestSeries } from '@/lib/core/report/chart-layout'
import { remInPixels } from '../../ui/use-width'
import { useFigureFormat } from '../../use-figure-format'
import { useReportTexts } from './use-report-texts'

interface DetailsTableProps {
  readonly label: string
  readonly count: number
  /** The heading of the first column, and the number of a row in it. */
  readonly first: readonly [label: string, number: (row: number) => number]
  /** Columns in pairs: their heading, and the two cells of a row. */
  readonly pairs: readonly (readonly [label: string, cells: (row: number) => readonly string[]])[]
  /** The headings of the two. */
  readonly sides: readonly [string, string]
  readonly last: readonly [label: string, cell: (row: number) => string]
  /** True if the last column has words. */
  readonly isLastText?: boolean
}

/** A browser takes seconds to draw thousands of rows. */
const MOST_DRAWN = 300
/** In rem, until a row is measured. */
const ROW_HEIGHT = 1.75
const HEAD_ROWS = 2

/** A scrolling table of numbers, closed at first. Rows of a long one are drawn while they are near the view. */
export function DetailsTable(props: DetailsTableProps) {
  const { label } = props
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm py-1 text-soft text-sm hover:text-ink pointer-coarse:py-3">
        {label}
      </summary>
      {isOpen && <ScrollingTable {...props} />}
    </details>
  )
}

function ScrollingTable(props: DetailsTableProps) {
  const { label, count, first, pairs, sides, last, isLastText = false } = props
  const format = useFigureFormat()
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
        <thead className="sticky top-0 bg-raised text-soft">
          <tr>
            <th scope="col" rowSpan={2} className="text-left align-bottom">
              {first[0]}
            </th>
            {pairs.map(([pair]) => (
              <th key={pair} scope="colgroup" colSpan={2}>
                {pair}
              </th>
            ))}
            <th scope="col" rowSpan={2} className={`${isLastText ? 'text-left' : ''} align-bottom`}>
              {last[0]}
            </th>
          </tr>
          <tr className="border-line border-b">
            {pairs.flatMap(([pair]) =>
              sides.map((side) => (
                <th key={`${pair} ${side}`} scope="col" className="whitespace-nowrap">
                  {side}
                </th>
              )),
            )}
          </tr>
        </thead>
        <Space height={above} />
        <tbody>
          {rows.map((row) => (
            <tr
              key={row}
              ref={isLong && row === rows[0] ? measureRow : undefined}
              aria-rowindex={isLong ? HEAD_ROWS + row + 1 : undefined}
              className={row % 2 === 1 ? 'bg-line/25' : undefined}
            >
              <th scope="row" className="text-left">
                {format.number(first[1](row))}
              </th>
              {pairs.flatMap(([pair, cells]) =>
                cells(row).map((cell, side) => <td key={`${pair} ${sides[side]}`}>{cell}</td>),
              )}
              <td className={isLastText ? 'text-left text-soft' : undefined}>{last[1](row)}</td>
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

/** The numbers of the charts by request. */
export function RequestTable({ replayed }: { readonly replayed: Replay }) {
  // A table with hundreds of rows may lag behind a drag; the charts may not.
  return <Numbers replayed={useDeferredValue(replayed)} />
}

const Numbers = memo(function Numbers({ replayed }: { readonly replayed: Replay }) {
  const t = useTranslations('drawer.charts')
  const { format, rule } = useReportTexts()
  const { requests } = replayed
  const plain = useMemo(() => costSeries(replayed, 'plain'), [replayed])
  const cached = useMemo(() => costSeries(replayed, 'cached'), [replayed])
  const at = (row: number) => requests[row] as (typeof requests)[number]
  const numbers = (of: (side: ReplaySide) => number) => (row: number) => [
    format.number(of(at(row).before)),
    format.number(of(at(row).after)),
  ]
  const money = (series: RequestSeries) => (row: number) => [
    format.money(series.before[row], series.after.at(-1)),
    format.money(series.after[row], series.before.at(-1)),
  ]
  return (
    <DetailsTable
      label={t('numbers')}
      count={requests.length}
      first={[t('table.request'), (row) => row + 1]}
      pairs={[
        [t('table.tokens'), numbers(({ tokens }) => tokens)],
        [t('table.read'), numbers(({ split }) => split.read)],
        [t('table.plain'), money(plain)],
        [t(`table.${rule === 'unknown' ? 'cachedUnknown' : 'cached'}`), money(cached)],
      ]}
      sides={[t('table.before'), t('table.after')]}
      last={[t('table.masked'), (row) => format.number(at(row).maskedResults)]}
    />
  )
})
