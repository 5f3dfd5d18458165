import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import { costSeries } from '@/lib/core/report/chart-layout'
import { reportTable } from '@/lib/core/report/report-page'
import { ShowMore } from '../ui/show-more'
import { ReportTableView } from './report/report-parts'
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
    const sums = { plain: costSeries(replayed, 'plain'), cached: costSeries(replayed, 'cached') }
    const pairOf = (name: string, cell: (row: Row, side: 'before' | 'after') => string) =>
      (['before', 'after'] as const).map(
        (side) => [`${name}, ${t(`table.${side}`)}`, (row: Row) => cell(row, side), true] as const,
      )
    const moneyOf = (kind: keyof typeof sums) => (row: Row, side: 'before' | 'after') =>
      format.money(sums[kind][side][row.at], replayed.before.costs[kind])
    const rows = replayed.requests.map((request, at): Row => ({ ...request, at }))
    return reportTable<Row>(t('numbers'), rows.slice(0, most), [
      [t('table.request'), ({ at }) => format.number(at + 1)],
      ...pairOf(t('table.tokens'), (row, side) => format.number(row[side].tokens)),
      ...pairOf(t('table.read'), (row, side) => format.number(row[side].split.read)),
      ...pairOf(t('table.plain'), moneyOf('plain')),
      ...pairOf(t(`table.${rule === 'unknown' ? 'cachedUnknown' : 'cached'}`), moneyOf('cached')),
      [t('table.masked'), ({ maskedResults }) => format.number(maskedResults), true],
    ])
  }, [replayed, most, t, format, rule])
  return (
    <div className="report mt-1 max-h-80 overflow-y-auto text-sm">
      <ReportTableView table={table} isScrolling />
      <ShowMore all={replayed.requests.length} most={most} atOnce={AT_ONCE} onMore={setMost} />
    </div>
  )
}
