'use client'

import { memo, useDeferredValue } from 'react'
import { useTranslations } from 'use-intl'
import type { RunState } from '@/lib/state/loop-run'
import { historyRows } from '@/lib/state/loop-run-rows'
import { useRunState } from '../loop-tools'
import { useDurationFormat } from './use-duration-format'

const MOST_ROWS = 50
const SIGNATURE_CHARS = 80

/** The executions the guards remember, the newest first, and how long each still counts. */
export function HistoryTable() {
  // A long batch runs faster than its rows can be drawn.
  return <History state={useDeferredValue(useRunState((whole) => whole))} />
}

const History = memo(function History({ state }: { readonly state: RunState }) {
  const t = useTranslations('runner.history')
  const duration = useDurationFormat()
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <section aria-label={t('title')} tabIndex={0} className="mt-1 overflow-x-auto">
          <table className="w-full min-w-150 table-fixed border-collapse text-sm tabular-nums [&_td]:py-1 [&_td]:pr-3 [&_td]:align-top [&_th]:py-1 [&_th]:pr-3 [&_th]:text-left [&_th]:font-medium">
            <thead className="text-soft">
              <tr className="border-line border-b">
                <th scope="col" className="w-26">
                  {t('ran')}
                </th>
                <th scope="col" className="w-1/5">
                  {t('id')}
                </th>
                <th scope="col">{t('call')}</th>
                <th scope="col" className="w-34">
                  {t('idUntil')}
                </th>
                <th scope="col" className="w-34">
                  {t('sameUntil')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MOST_ROWS).map((row, at) => (
                <tr
                  // biome-ignore lint/suspicious/noArrayIndexKey: counted from the oldest, an id may run twice at one time
                  key={rows.length - at}
                  className="border-line border-b last:border-b-0"
                >
                  <td className="whitespace-nowrap">{t('ago', { time: duration(row.age) })}</td>
                  <td className="font-mono [overflow-wrap:anywhere]">{row.callId}</td>
                  <td className="break-words font-mono text-soft [overflow-wrap:anywhere]">
                    {row.signature.slice(0, SIGNATURE_CHARS)}
                    {row.signature.length > SIGNATURE_CHARS && '…'}
                  </td>
                  <td className="whitespace-nowrap">{left(row.idLeft)}</td>
                  <td className="whitespace-nowrap">{left(row.signatureLeft)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length > MOST_ROWS && (
            <p className="py-1 text-soft text-sm">
              {t('older', { count: rows.length - MOST_ROWS })}
            </p>
          )}
        </section>
      )}
    </section>
  )
})
