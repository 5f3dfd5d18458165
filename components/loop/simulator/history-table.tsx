'use client'

import { memo, useDeferredValue } from 'react'
import { useTranslations } from 'use-intl'
import type { SimulatorState } from '@/lib/state/loop/simulator'
import { historyRows } from '@/lib/state/loop/simulator-rows'
import { useFigureFormat } from '../../use-figure-format'
import { useSimulatorState } from '../loop-tools'
import { ScrollingTable } from './scrolling-table'

const MOST_ROWS = 50
const SIGNATURE_CHARS = 80

/** Executions in the history of the guards, newest first, with the time each still blocks repeats. */
export function HistoryTable() {
  // A long batch runs faster than its rows render.
  return <History state={useDeferredValue(useSimulatorState((whole) => whole))} />
}

const History = memo(function History({ state }: { readonly state: SimulatorState }) {
  const t = useTranslations('simulator.history')
  const { duration } = useFigureFormat()
  const rows = historyRows(state, state.limits)
  const left = (milliseconds: number) =>
    milliseconds > 0 ? (
      <span className="text-warn">{t('refused', { time: duration(milliseconds, 0) })}</span>
    ) : (
      <span className="text-good">{t('free')}</span>
    )
  return (
    <section>
      <h3 className="font-medium">
        {t('title')}{' '}
        <span className="font-normal text-soft text-sm tabular-nums">
          {t('count', { count: rows.length, most: state.limits.historyEntries })}
        </span>
      </h3>
      {rows.length === 0 ? (
        <p className="text-soft text-sm">{t('none')}</p>
      ) : (
        <ScrollingTable
          label={t('title')}
          columns={[
            [t('ran'), 'w-26'],
            [t('id'), 'w-1/5'],
            [t('call')],
            [t('idUntil'), 'w-34'],
            [t('sameUntil'), 'w-34'],
          ]}
          note={
            rows.length > MOST_ROWS ? t('older', { count: rows.length - MOST_ROWS }) : undefined
          }
        >
          {rows.slice(0, MOST_ROWS).map((row, at) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: counted from the oldest, an id may run twice at one time
              key={rows.length - at}
              className="border-line border-b last:border-b-0"
            >
              <td className="whitespace-nowrap">{t('ago', { time: duration(row.age, 1) })}</td>
              <td className="font-mono [overflow-wrap:anywhere]">{row.callId}</td>
              <td className="break-words font-mono text-soft [overflow-wrap:anywhere]">
                {row.signature.slice(0, SIGNATURE_CHARS)}
                {row.signature.length > SIGNATURE_CHARS && '…'}
              </td>
              <td className="whitespace-nowrap">{left(row.idLeft)}</td>
              <td className="whitespace-nowrap">{left(row.signatureLeft)}</td>
            </tr>
          ))}
        </ScrollingTable>
      )}
    </section>
  )
})
