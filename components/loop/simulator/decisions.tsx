'use client'

import { memo, useDeferredValue } from 'react'
import { useTranslations } from 'use-intl'
import { type DecisionRow, decisionRows } from '@/lib/state/loop/simulator-rows'
import { useFigureFormat } from '../../use-figure-format'
import { useSimulatorState } from '../loop-tools'
import { ScrollingTable } from './scrolling-table'

/** The trace shows all of them. */
const MOST_ROWS = 200
const CONTENT_CHARS = 300

const TONES: Readonly<Record<DecisionRow['kind'], string>> = {
  started: 'text-accent',
  finished: 'text-good',
  failed: 'text-bad',
  refused: 'text-warn',
  dropped: 'text-warn',
  duplicate: 'text-warn',
}

/** Every call with the decision of the guards, its reason, and the result for the next request. */
export function Decisions() {
  const t = useTranslations('simulator.decisions')
  // A long batch is decided faster than its rows render.
  const rows = useDeferredValue(
    useSimulatorState((state) => decisionRows(state.batches, state.events)),
  )
  return (
    <section>
      <h3 className="font-medium">{t('title')}</h3>
      {rows.length === 0 ? <p className="text-soft text-sm">{t('none')}</p> : <Table rows={rows} />}
    </section>
  )
}

const Table = memo(function Table({ rows }: { readonly rows: readonly DecisionRow[] }) {
  const t = useTranslations('simulator.decisions')
  const tCode = useTranslations('simulator.codes')
  const { duration } = useFigureFormat()
  return (
    <ScrollingTable
      label={t('title')}
      columns={[
        [t('batch'), 'w-14'],
        [t('time'), 'w-22'],
        [t('call'), 'w-1/5'],
        [t('decision'), 'w-44'],
        [t('result')],
      ]}
      note={rows.length > MOST_ROWS ? t('earlier', { count: rows.length - MOST_ROWS }) : undefined}
    >
      {rows.slice(-MOST_ROWS).map((row) => (
        <tr key={`${row.batch} ${row.place}`} className="border-line border-b last:border-b-0">
          <td className="tabular-nums">{t('batchNumber', { number: row.batch })}</td>
          <td className="whitespace-nowrap tabular-nums">{duration(row.at, 3)}</td>
          <td className="font-mono [overflow-wrap:anywhere]">
            {row.name} <span className="text-soft">{row.callId}</span>
          </td>
          <td>
            <span className={`font-medium ${TONES[row.kind]}`}>{t(`kinds.${row.kind}`)}</span>{' '}
            {row.duration !== undefined && (
              <span className="whitespace-nowrap text-soft">
                {t('took', { time: duration(row.duration, 3) })}
              </span>
            )}
            {row.code !== undefined && (
              <span className="block text-soft">
                <code className="text-ink text-xs">{row.code}</code> {tCode(row.code)}
              </span>
            )}
          </td>
          <td className="break-words font-mono [overflow-wrap:anywhere]">
            {row.content === undefined ? '…' : clipped(row.content)}
          </td>
        </tr>
      ))}
    </ScrollingTable>
  )
})

function clipped(text: string): string {
  return text.length > CONTENT_CHARS ? `${text.slice(0, CONTENT_CHARS)}…` : text
}
