import { memo, type ReactElement, useDeferredValue } from 'react'
import { useTranslations } from 'use-intl'
import { type DecisionRow, decisionRows, historyRows } from '@/lib/state/loop/simulator-rows'
import type { SimulatorState } from '@/lib/state/loop/simulator-state'
import { useView } from '../../playground-context'
import { ScrollRegion } from '../../ui/table'
import { useSimulatorState } from '../loop-tools'

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
  // A long batch is decided faster than its rows render.
  const rows = useDeferredValue(
    useSimulatorState((state) => decisionRows(state.batches, state.events)),
  )
  return <DecisionTable rows={rows} />
}

const DecisionTable = memo(function DecisionTable({ rows }: { rows: readonly DecisionRow[] }) {
  const { t, format } = useView('simulator.decisions')
  const tCode = useTranslations('simulator.codes')
  return (
    <ScrollingTable
      title={t('title')}
      none={t('none')}
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
          <td className="whitespace-nowrap tabular-nums">{format.duration(row.at, 3)}</td>
          <td className="font-mono [overflow-wrap:anywhere]">
            {row.name} <span className="text-soft">{row.callId}</span>
          </td>
          <td>
            <span className={`font-medium ${TONES[row.kind]}`}>{t(`kinds.${row.kind}`)}</span>{' '}
            {row.duration !== undefined && (
              <span className="whitespace-nowrap text-soft">
                {t('took', { time: format.duration(row.duration, 3) })}
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

const MOST_PAST = 50
const SIGNATURE_CHARS = 80

/** Executions in the history of the guards, newest first, with the time each still blocks repeats. */
export function HistoryTable() {
  // A long batch runs faster than its rows render.
  return <History state={useDeferredValue(useSimulatorState())} />
}

const History = memo(function History({ state }: { state: SimulatorState }) {
  const { t, format } = useView('simulator.history')
  const rows = historyRows(state, state.limits)
  const left = (milliseconds: number) =>
    milliseconds > 0 ? (
      <span className="text-warn">{t('refused', { time: format.duration(milliseconds, 0) })}</span>
    ) : (
      <span className="text-good">{t('free')}</span>
    )
  return (
    <ScrollingTable
      title={t('title')}
      count={t('count', { count: rows.length, most: state.limits.historyEntries })}
      none={t('none')}
      columns={[
        [t('ran'), 'w-26'],
        [t('id'), 'w-1/5'],
        [t('call')],
        [t('idUntil'), 'w-34'],
        [t('sameUntil'), 'w-34'],
      ]}
      note={rows.length > MOST_PAST ? t('older', { count: rows.length - MOST_PAST }) : undefined}
    >
      {rows.slice(0, MOST_PAST).map((row, at) => (
        <tr
          // biome-ignore lint/suspicious/noArrayIndexKey: counted from the oldest, an id may run twice at one time
          key={rows.length - at}
          className="border-line border-b last:border-b-0"
        >
          <td className="whitespace-nowrap">{t('ago', { time: format.duration(row.age, 1) })}</td>
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
  )
})

/** A table with its heading that scrolls sideways, or a sentence where it has no rows. */
function ScrollingTable(props: {
  readonly title: string
  /** Shown after the title. */
  readonly count?: string
  /** Said where there are no rows. */
  readonly none: string
  /** Name and width of each column; a column without a width takes what is left. */
  readonly columns: readonly (readonly [name: string, width?: string])[]
  readonly children: readonly ReactElement[]
  /** A sentence below the table about rows that are not shown. */
  readonly note: string | undefined
}) {
  const { title, count, columns, children, note } = props
  return (
    <section>
      <h3 className="font-medium">
        {title}
        {count !== undefined && (
          <span className="font-normal text-soft text-sm tabular-nums"> {count}</span>
        )}
      </h3>
      {children.length === 0 ? (
        <p className="text-soft text-sm">{props.none}</p>
      ) : (
        <ScrollRegion aria-label={title} className="mt-1 overflow-x-auto">
          <table className="w-full min-w-150 table-fixed border-collapse text-sm tabular-nums [&_td]:py-1 [&_td]:pr-3 [&_td]:align-top [&_th]:py-1 [&_th]:pr-3 [&_th]:text-left [&_th]:font-medium">
            <thead className="text-soft">
              <tr className="border-line border-b">
                {columns.map(([name, width]) => (
                  <th key={name} scope="col" className={width}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
          {note !== undefined && <p className="py-1 text-soft text-sm">{note}</p>}
        </ScrollRegion>
      )}
    </section>
  )
}
