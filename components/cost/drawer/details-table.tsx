import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay, ReplaySide } from '@/lib/core/replay/replay'
import { costSeries, type RequestSeries } from '@/lib/core/report/chart-layout'
import { ScrollRegion, VirtualRows } from '../../ui/table'
import { remInPixels } from '../../ui/use-width'
import { useFigureFormat } from '../../use-figure-format'
import { useReportTexts } from './use-report-texts'

interface DetailsTableProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  /** The heading of the first column, and the number of a row in it. */
  readonly first: readonly [label: string, number: (row: Row, at: number) => number]
  /** Columns in pairs: their heading, and the two cells of a row. */
  readonly pairs: readonly (readonly [label: string, cells: Cells<Row>])[]
  /** The headings of the two. */
  readonly sides: readonly [string, string]
  readonly last: readonly [label: string, cell: (row: Row) => string]
  /** True if the last column has words. */
  readonly isLastText?: boolean
}

type Cells<Row> = (row: Row, at: number) => readonly string[]

/** A browser takes seconds to draw thousands of rows. */
const MOST_DRAWN = 300
/** In rem, until a row is measured. */
const ROW_HEIGHT = 1.75
const HEAD_ROWS = 2

/** A scrolling table of numbers, closed at first. Rows of a long one are drawn while they are near the view. */
export function DetailsTable<Row>(props: DetailsTableProps<Row>) {
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

function ScrollingTable<Row>(props: DetailsTableProps<Row>) {
  const { label, rows, first, pairs, sides, last, isLastText = false } = props
  const format = useFigureFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const [rowHeight, setRowHeight] = useState(() => ROW_HEIGHT * remInPixels())
  const { length: count } = rows
  const isLong = count > MOST_DRAWN
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: isLong ? 20 : count,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height of the rows moves them all
  useLayoutEffect(() => virtualizer.measure(), [rowHeight])
  const measureRow = (row: HTMLElement | null) => {
    if (row !== null) setRowHeight(row.getBoundingClientRect().height)
  }
  const firstDrawn = virtualizer.getVirtualItems()[0]?.index
  return (
    <ScrollRegion
      ref={scroller}
      aria-label={label}
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
        <tbody>
          <VirtualRows virtualizer={virtualizer} columns={2 * pairs.length + 2}>
            {(at) => {
              const row = rows[at] as Row
              return (
                <tr
                  ref={isLong && at === firstDrawn ? measureRow : undefined}
                  aria-rowindex={isLong ? HEAD_ROWS + at + 1 : undefined}
                  className={at % 2 === 1 ? 'bg-line/25' : undefined}
                >
                  <th scope="row" className="text-left">
                    {format.number(first[1](row, at))}
                  </th>
                  {pairs.flatMap(([pair, cells]) =>
                    cells(row, at).map((cell, side) => (
                      <td key={`${pair} ${sides[side]}`}>{cell}</td>
                    )),
                  )}
                  <td className={isLastText ? 'text-left text-soft' : undefined}>{last[1](row)}</td>
                </tr>
              )
            }}
          </VirtualRows>
        </tbody>
      </table>
    </ScrollRegion>
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
  const plain = useMemo(() => costSeries(replayed, 'plain'), [replayed])
  const cached = useMemo(() => costSeries(replayed, 'cached'), [replayed])
  type Row = Replay['requests'][number]
  const numbers =
    (of: (side: ReplaySide) => number): Cells<Row> =>
    ({ before, after }) =>
      [before, after].map((side) => format.number(of(side)))
  const money =
    ({ before, after }: RequestSeries): Cells<Row> =>
    (_, at) => [format.money(before[at], after.at(-1)), format.money(after[at], before.at(-1))]
  return (
    <DetailsTable
      label={t('numbers')}
      rows={replayed.requests}
      first={[t('table.request'), (_, at) => at + 1]}
      pairs={[
        [t('table.tokens'), numbers(({ tokens }) => tokens)],
        [t('table.read'), numbers(({ split }) => split.read)],
        [t('table.plain'), money(plain)],
        [t(`table.${rule === 'unknown' ? 'cachedUnknown' : 'cached'}`), money(cached)],
      ]}
      sides={[t('table.before'), t('table.after')]}
      last={[t('table.masked'), ({ maskedResults }) => format.number(maskedResults)]}
    />
  )
})
