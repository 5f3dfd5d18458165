'use client'

import { memo, useDeferredValue } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import { costSeries, type RequestSeries } from '@/lib/core/report/request-series'
import { DetailsTable } from './details-table'
import { useReportTexts } from './use-report-texts'

/** The numbers of the charts by request. Rendered only once opened. */
export function RequestTable({ replayed }: { readonly replayed: Replay }) {
  const t = useTranslations('drawer.charts')
  // A table with hundreds of rows may lag behind a drag; the charts may not.
  const shown = useDeferredValue(replayed)
  return (
    <DetailsTable label={t('numbers')}>
      <Rows replayed={shown} />
    </DetailsTable>
  )
}

const Rows = memo(function Rows({ replayed }: { readonly replayed: Replay }) {
  const t = useTranslations('drawer.charts')
  const { format, rule } = useReportTexts()
  const plain = costSeries(replayed, 'plain')
  const cached = costSeries(replayed, 'cached')
  const heads = ['tokens', 'read', 'plain', 'cached'] as const
  const money = (series: RequestSeries, at: number) =>
    [
      format.money(series.before[at], series.after.at(-1)),
      format.money(series.after[at], series.before.at(-1)),
    ] as const
  return (
    <>
      <thead className="sticky top-0 bg-raised text-soft">
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
      </thead>
      <tbody>
        {replayed.requests.map(({ before, after, maskedResults }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a request is known by its place
          <tr key={at} className="even:bg-line/25">
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
          </tr>
        ))}
      </tbody>
    </>
  )
})
