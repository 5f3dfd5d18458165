'use client'

import { useDeferredValue, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { type RunMetrics, runMetrics } from '@/lib/core/loop/run-metrics'
import { useFigureFormat } from '../../use-figure-format'
import { useSimulatorState } from '../loop-tools'

/** Totals of the run, and of each tool if there are several. Renders nothing before a call has ended. */
export function RunTotals() {
  const t = useTranslations('simulator.totals')
  const events = useDeferredValue(useSimulatorState((state) => state.events))
  const { all, tools } = useMemo(() => runMetrics(events), [events])
  if (all.calls === 0) return null
  const named = [...tools].filter(([, { calls }]) => calls > 0)
  return (
    <section aria-label={t('title')} className="text-sm tabular-nums">
      <p>
        <Totals metrics={all} />
      </p>
      {named.length > 1 && (
        <ul className="text-soft">
          {named.map(([name, metrics]) => (
            <li key={name} className="[overflow-wrap:anywhere]">
              <span className="font-mono">{name}</span> <Totals metrics={metrics} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Totals({ metrics }: { readonly metrics: RunMetrics }) {
  const t = useTranslations('simulator.totals')
  const { duration } = useFigureFormat()
  const { successRate, averageTime, ...counts } = metrics
  return (
    <>
      {t('calls', counts)}
      {successRate !== undefined && ` ${t('rate', { successRate })}`}
      {averageTime !== undefined && ` ${t('time', { time: duration(averageTime, 3) })}`}
    </>
  )
}
