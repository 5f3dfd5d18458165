'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type ReactNode,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import { costSeries, type RequestSeries } from '@/lib/core/report/chart-layout'
import { remInPixels } from '../../ui/use-width'
import { useReportTexts } from './use-report-texts'

interface DetailsTableProps {
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
  const heads = ['tokens', 'read', 'plain', 'cached'] as const
  const money = (series: RequestSeries, at: number) =>
    [
      format.money(series.before[at], series.after.at(-1)),
      format.money(series.after[at], series.before.at(-1)),
    ] as const
  return (
    <DetailsTable
      label={t('numbers')}
      head={
        <>
          <tr>
            <th scope="col" rowSpan={2} className="text-left align-bottom">
              {t('table.request')}
            </th>
            {heads.map((head) => (
              <th key={head} scope="colgroup" colSpan={2}>
                {t(`table.${head === 'cached' && rule === 'unknown' ? 'cachedUnknown' : head}`)}
              </th>
            ))}
            <th scope="col" rowSpan={2} className="align-bottom">
              {t('table.masked')}
            </th>
          </tr>
          <tr className="border-line border-b">
            {heads.flatMap((head) =>
              (['before', 'after'] as const).map((side) => (
                <th key={`${head} ${side}`} scope="col" className="whitespace-nowrap">
                  {t(`table.${side}`)}
                </th>
              )),
            )}
          </tr>
        </>
      }
      count={replayed.requests.length}
      cells={(at) => {
        const { before, after, maskedResults } = replayed.requests[at] as Replay['requests'][number]
        return (
          <>
            <th scope="row" className="text-left">
              {format.number(at + 1)}
            </th>
            <td>{format.number(before.tokens)}</td>
            <td>{format.number(after.tokens)}</td>
            <td>{format.number(before.split.read)}</td>
            <td>{format.number(after.split.read)}</td>
            {[...money(plain, at), ...money(cached, at)].map((cost, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
              <td key={column}>{cost}</td>
            ))}
            <td>{format.number(maskedResults)}</td>
          </>
        )
      }}
    />
  )
})
