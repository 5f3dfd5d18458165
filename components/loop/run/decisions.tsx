'use client'

import { memo, useDeferredValue } from 'react'
import { useTranslations } from 'use-intl'
import { type DecisionRow, decisionRows } from '@/lib/state/loop-run-rows'
import { useRunState } from '../loop-tools'
import { useDurationFormat } from './use-duration-format'

/** The trace has them all. */
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

/** Every call the guards looked at: what they decided and why, and the result as the next request would have it. */
export function Decisions() {
  const t = useTranslations('runner.decisions')
  // A long batch decides faster than its rows can be drawn.
  const rows = useDeferredValue(useRunState((state) => decisionRows(state.batches, state.events)))
  return (
    <section>
      <h3 className="font-medium">{t('title')}</h3>
      {rows.length === 0 ? <p className="text-soft text-sm">{t('none')}</p> : <Table rows={rows} />}
    </section>
  )
}

const Table = memo(function Table({ rows }: { readonly rows: readonly DecisionRow[] }) {
  const t = useTranslations('runner.decisions')
  const tCode = useTranslations('runner.codes')
  const duration = useDurationFormat()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section aria-label={t('title')} tabIndex={0} className="mt-1 overflow-x-auto">
      <table className="w-full min-w-150 table-fixed border-collapse text-sm [&_td]:py-1 [&_td]:pr-3 [&_td]:align-top [&_th]:py-1 [&_th]:pr-3 [&_th]:text-left [&_th]:font-medium">
        <thead className="text-soft">
          <tr className="border-line border-b">
            <th scope="col" className="w-14">
              {t('batch')}
            </th>
            <th scope="col" className="w-22">
              {t('time')}
            </th>
            <th scope="col" className="w-1/5">
              {t('call')}
            </th>
            <th scope="col" className="w-44">
              {t('decision')}
            </th>
            <th scope="col">{t('result')}</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className="py-1 text-soft text-sm">{t('earlier', { count: rows.length - MOST_ROWS })}</p>
      )}
    </section>
  )
})

function clipped(text: string): string {
  return text.length > CONTENT_CHARS ? `${text.slice(0, CONTENT_CHARS)}…` : text
}
