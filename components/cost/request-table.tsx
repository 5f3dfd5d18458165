import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import { costSeries } from '@/lib/core/report/chart-layout'
import { ShowMore } from '../ui/show-more'
import { ScrollRegion } from '../ui/table'
import { useReportTexts } from './use-report-texts'

/** A browser takes seconds to draw thousands of rows. */
const AT_ONCE = 300

/** The numbers of the charts by request, closed at first. */
export function RequestTable({ replayed }: { readonly replayed: Replay }) {
  const t = useTranslations('sessionCost.charts')
  const [isOpen, setIsOpen] = useState(false)
  // A table with hundreds of rows may lag behind a drag; the charts may not.
  const shown = useDeferredValue(replayed)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm py-1 text-soft text-sm hover:text-ink pointer-coarse:py-3">
        {t('numbers')}
      </summary>
      {isOpen && <Numbers replayed={shown} />}
    </details>
  )
}

function Numbers({ replayed }: { readonly replayed: Replay }) {
  const t = useTranslations('sessionCost.charts')
  const { format, rule } = useReportTexts()
  const [most, setMost] = useState(AT_ONCE)
  const table = useMemo(() => {
    type Row = Replay['requests'][number] & { readonly at: number }
    type Column = readonly [label: string, cell: (row: Row) => string]
    const sums = { plain: costSeries(replayed, 'plain'), cached: costSeries(replayed, 'cached') }
    const pairOf = (name: string, cell: (row: Row, side: 'before' | 'after') => string) =>
      (['before', 'after'] as const).map(
        (side): Column => [`${name}, ${t(`table.${side}`)}`, (row) => cell(row, side)],
      )
    const moneyOf = (kind: keyof typeof sums) => (row: Row, side: 'before' | 'after') =>
      format.money(sums[kind][side][row.at], replayed.before.costs[kind])
    const columns: readonly Column[] = [
      ...pairOf(t('table.tokens'), (row, side) => format.number(row[side].tokens)),
      ...pairOf(t('table.read'), (row, side) => format.number(row[side].split.read)),
      ...pairOf(t('table.plain'), moneyOf('plain')),
      ...pairOf(t(`table.${rule === 'unknown' ? 'cachedUnknown' : 'cached'}`), moneyOf('cached')),
      [t('table.masked'), ({ maskedResults }) => format.number(maskedResults)],
    ]
    const rows = replayed.requests.slice(0, most).map((request, at): Row => ({ ...request, at }))
    return (
      <table>
        <caption>{t('numbers')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('table.request')}</th>
            {columns.map(([label]) => (
              <th key={label} scope="col" className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.at}>
              <th scope="row">{format.number(row.at + 1)}</th>
              {columns.map(([label, cell]) => (
                <td key={label} data-label={label} className="number">
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )
  }, [replayed, most, t, format, rule])
  return (
    <div className="report mt-1 max-h-80 overflow-y-auto text-sm">
      <ScrollRegion aria-label={t('numbers')}>{table}</ScrollRegion>
      <ShowMore all={replayed.requests.length} most={most} atOnce={AT_ONCE} onMore={setMost} />
    </div>
  )
}
