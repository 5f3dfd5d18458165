import { memo, useDeferredValue, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay, ReplaySide } from '@/lib/core/replay/replay'
import { costSeries, type RequestSeries } from '@/lib/core/report/chart-layout'
import { ShowMore } from '../../ui/show-more'
import { ScrollRegion } from '../../ui/table'
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
const AT_ONCE = 300

/** A scrolling table of numbers, closed at first. */
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
  const [most, setMost] = useState(AT_ONCE)
  return (
    <ScrollRegion
      aria-label={label}
      className="mt-1 max-h-64 overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-right text-sm [&_td]:px-2.5 [&_td]:py-0.5 [&_th]:px-2.5 [&_th]:py-1 [&_th]:font-medium">
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
          {rows.slice(0, most).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: requests keep their order
            <tr key={at} className={at % 2 === 1 ? 'bg-line/25' : undefined}>
              <th scope="row" className="text-left">
                {format.number(first[1](row, at))}
              </th>
              {pairs.flatMap(([pair, cells]) =>
                cells(row, at).map((cell, side) => <td key={`${pair} ${sides[side]}`}>{cell}</td>),
              )}
              <td className={isLastText ? 'text-left text-soft' : undefined}>{last[1](row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore all={rows.length} most={most} atOnce={AT_ONCE} onMore={setMost} />
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
