'use client'

import { useFormatter, useTranslations } from 'use-intl'
import type { RepairMetrics } from '@/lib/core/repair/repair-metrics'
import { usePlaygroundState } from '../playground-context'

/** Attempts, outcomes of the calls, and repairs by strategy. */
export function RepairMetricsTable({ metrics }: { readonly metrics: RepairMetrics }) {
  const t = useTranslations('repair')
  const most = usePlaygroundState(({ repairSettings }) => repairSettings.attempts)
  return (
    <table className="mt-1 w-full max-w-xl text-left tabular-nums">
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
      <tbody>
        <Row name={t('metrics.all')} count={metrics.calls} />
        <Row name={t('metrics.valid')} count={metrics.valid} />
        <Row name={t('metrics.repaired')} count={metrics.repaired} />
        {(['none', 'guess', 'loss'] as const).map((risk) =>
          metrics.byRisk[risk] === 0 ? null : (
            <Row key={risk} isPart name={t(`metrics.risks.${risk}`)} count={metrics.byRisk[risk]} />
          ),
        )}
        <Row name={t('metrics.failed')} count={metrics.failed} />
        {metrics.failures.map(({ failure, calls }) => (
          <Row key={failure} isPart name={t(`failures.${failure}`)} count={calls} />
        ))}
        <Row name={t('metrics.attempts', { most })} count={metrics.attempts} />
        {metrics.averageMilliseconds !== undefined && (
          <Row
            name={t('metrics.time')}
            count={t('metrics.milliseconds', { time: metrics.averageMilliseconds })}
          />
        )}
      </tbody>
      {metrics.byStrategy.length > 0 && (
        <tbody>
          <tr>
            <th scope="rowgroup" colSpan={2} className="pt-3 pb-1 font-normal text-faint text-xs">
              {t('metrics.byStrategy')}
            </th>
          </tr>
          {metrics.byStrategy.map(({ strategy, calls }) => (
            <Row key={strategy} name={t(`strategies.${strategy}`)} count={calls} />
          ))}
        </tbody>
      )}
    </table>
  )
}

interface RowProps {
  readonly name: string
  readonly count: number | string
  /** The row is a breakdown of the row before. */
  readonly isPart?: boolean
}

function Row({ name, count, isPart = false }: RowProps) {
  const format = useFormatter()
  return (
    <tr className="border-line border-b">
      <th scope="row" className={`py-1 pr-4 font-normal ${isPart ? 'pl-4 text-soft' : ''}`}>
        {name}
      </th>
      <td className="py-1 text-right align-top">
        {typeof count === 'number' ? format.number(count) : count}
      </td>
    </tr>
  )
}
