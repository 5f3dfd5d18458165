'use client'

import { useFormatter, useTranslations } from 'use-intl'
import { REPAIR_LIMITS } from '@/lib/core/repair/repair-limits'
import type { RepairMetrics } from '@/lib/core/repair/repair-metrics'

/** Attempts, what became of the calls, and what repaired them. */
export function RepairMetricsTable({ metrics }: { readonly metrics: RepairMetrics }) {
  const t = useTranslations('repair')
  const format = useFormatter()
  const rows = [
    { name: t('metrics.all'), count: metrics.calls },
    { name: t('metrics.valid'), count: metrics.valid },
    { name: t('metrics.repaired'), count: metrics.repaired },
    { name: t('metrics.failed'), count: metrics.failed },
    ...metrics.failures.map(({ failure, calls }) => ({
      name: t(`failures.${failure}`),
      count: calls,
    })),
    { name: t('metrics.attempts', { most: REPAIR_LIMITS.attempts }), count: metrics.attempts },
  ]
  return (
    <table className="mt-1 w-full text-left tabular-nums">
      <thead className="text-faint text-xs">
        <tr>
          <th scope="col" className="py-1 font-normal">
            {t('metrics.what')}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {t('metrics.calls')}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ name, count }) => (
          <Row key={name} name={name} count={format.number(count)} />
        ))}
        {metrics.byStrategy.map(({ strategy, calls }) => (
          <Row
            key={strategy}
            name={`${t('metrics.byStrategy')}: ${t(`strategies.${strategy}`)}`}
            count={format.number(calls)}
          />
        ))}
      </tbody>
    </table>
  )
}

function Row({ name, count }: { readonly name: string; readonly count: string }) {
  return (
    <tr>
      <th scope="row" className="py-1 pr-4 font-normal">
        {name}
      </th>
      <td className="py-1 text-right align-top">{count}</td>
    </tr>
  )
}
