'use client'

import { memo, useDeferredValue, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import { costSeries, type RequestSeries } from '@/lib/core/report/chart-layout'
import { DetailsTable } from './details-table'
import { useReportTexts } from './use-report-texts'

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
