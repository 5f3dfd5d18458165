import { Copy, FastForward, type LucideIcon, RotateCcw, StepForward } from 'lucide-react'
import { memo, useDeferredValue } from 'react'
import { isBatchDone } from '@/lib/core/loop/run-batch'
import { type RunMetrics, runMetrics, writeTrace } from '@/lib/core/loop/run-metrics'
import { conversationFileName } from '@/lib/state/files/chat-body'
import type { RunCall, SimulatorState, ToolSchemas } from '@/lib/state/loop/simulator'
import {
  conversationOfRun,
  type DecisionRow,
  decisionRows,
  historyOf,
  refusedFor,
} from '@/lib/state/loop/simulator-rows'
import { useDrafts } from '../../drafts/drafts-context'
import { useView } from '../../playground-context'
import { copyText } from '../../save-file'
import { Button } from '../../ui/button'
import { ScrollRegion } from '../../ui/table'
import { IconButton } from '../../ui/tooltip'
import { useNextRequest, useSimulator, useSimulatorState } from '../loop-tools'
import { BatchCalls, SimulatedTools, SimulatorLimits } from './simulator-setup'

const NO_SCHEMAS: ToolSchemas = new Map()

/** Runs batches of calls through the real guards with simulated tools. Setup is beside the results. */
export function SimulatorView() {
  const { t } = useView('simulator')
  const { shown: next } = useNextRequest()
  const turn = next?.calls
  const state = useSimulatorState()
  const calls = state.calls ?? turn ?? []
  return (
    <div className="flex min-h-0 flex-1 gap-x-6 gap-y-5 max-lg:flex-col">
      <div className="flex min-h-0 flex-col gap-4 lg:w-2/5 lg:min-w-90 lg:overflow-y-auto lg:pr-3 lg:pb-5">
        <p className="text-soft text-sm">{t('about')}</p>
        <BatchCalls calls={calls} turn={turn} />
        <SimulatedTools calls={calls} />
        <SimulatorLimits />
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 lg:pb-4">
        <SimulatorControls calls={calls} schemas={next?.toolSchemas ?? NO_SCHEMAS} />
        {/* A long batch runs faster than its rows render. */}
        <Run state={useDeferredValue(state)} />
      </div>
    </div>
  )
}

const JUMPS = [
  ['second', 1000],
  ['halfMinute', 30_000],
  ['fiveMinutes', 300_000],
] as const

/** Runs the batch, advances the clock, and saves the results. */
function SimulatorControls(props: {
  readonly calls: readonly RunCall[]
  readonly schemas: ToolSchemas
}) {
  const { calls, schemas } = props
  const { t, store, actions, format } = useView('simulator')
  const drafts = useDrafts()
  const simulator = useSimulator()
  const { batches, now } = useSimulatorState()
  const last = batches.at(-1)
  const isDone = last !== undefined && isBatchDone(last)
  const isPartial = last !== undefined && !isDone
  const hasRun = batches.length > 0
  /** Saves the run as a conversation; `isAsked` if the user pressed the button for it. */
  const saveRun = (isAsked: boolean) => {
    const state = simulator.store.getState()
    const run = {
      key: `run/${state.id}`,
      name: conversationFileName(store.getState(), [`${t('fileName')}.json`]),
      text: conversationOfRun(state),
      turns: state.batches.length,
    }
    void drafts.saveConversation(run, isAsked)
  }
  const run = async (isWhole: boolean) => {
    await simulator.run(calls, schemas, isWhole)
    const ended = simulator.store.getState().batches.at(-1)
    if (ended !== undefined && isBatchDone(ended)) saveRun(false)
  }
  const trace = () => writeTrace(batches.flatMap(({ events }) => events))
  const copyTrace = () => copyText(actions, trace(), 'copied_export', { name: t('trace.name') })
  const button = (
    label: string,
    icon: LucideIcon | undefined,
    isEnabled: boolean,
    onClick: () => unknown,
    kind: 'plain' | 'primary' | 'ghost' = 'plain',
  ) => (
    <Button
      key={label}
      size="small"
      {...{ kind, ...(icon && { icon }) }}
      disabled={!isEnabled}
      onClick={() => void onClick()}
    >
      {label}
    </Button>
  )
  const whole = isPartial ? t('rest') : t('run', { number: batches.length + 1 })
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        {button(whole, FastForward, calls.length > 0, () => run(true), 'primary')}
        {button(t('step'), StepForward, calls.length > 0, () => run(false))}
        {button(t('reset'), RotateCcw, hasRun, simulator.reset)}
        {button(t('saveAsConversation'), undefined, hasRun, () => saveRun(true))}
        <IconButton label={t('trace.copy')} icon={Copy} disabled={!hasRun} onClick={copyTrace} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-soft text-sm">
        <span>{t('clock.title')}</span>
        <fieldset aria-label={t('clock.advance')} className="flex gap-1">
          {JUMPS.map(([label, milliseconds]) => {
            const advance = () => simulator.advance(milliseconds)
            return button(t(`clock.${label}`), undefined, hasRun, advance, 'ghost')
          })}
        </fieldset>
        <span className="tabular-nums">
          {hasRun ? t('clock.now', { time: format.duration(now, 1) }) : t('clock.atRest')}
        </span>
      </div>
      <p aria-live="polite" className="min-h-5 text-soft text-sm">
        {isDone && t('nextBatch', { number: batches.length })}
      </p>
    </div>
  )
}

/** The trace has all of them. */
const MOST_ROWS = 200

/** Totals of the run, and every call with the decision of the guards and its result. */
const Run = memo(function Run({ state }: { readonly state: SimulatorState }) {
  const { t, format } = useView('simulator')
  const { batches, limits } = state
  const rows = decisionRows(batches)
  const { all, tools } = runMetrics(batches.flatMap(({ events }) => events))
  const named = [...tools].filter(([, { calls }]) => calls > 0)
  const totals = ({ successRate, averageTime, codes, ...counts }: RunMetrics) =>
    [
      t('totals.calls', counts),
      successRate !== undefined && t('totals.rate', { successRate }),
      averageTime !== undefined && t('totals.time', { time: format.duration(averageTime, 3) }),
      ...Object.entries(codes).map((one) => one.join(' × ')),
    ]
      .filter(Boolean)
      .join(' ')
  if (rows.length === 0) return <p className="text-soft text-sm">{t('decisions.none')}</p>
  return (
    <ScrollRegion
      aria-label={t('batchesRun')}
      className="flex min-h-0 flex-1 flex-col gap-2 text-sm tabular-nums lg:overflow-y-auto"
    >
      {rows.length > MOST_ROWS && (
        <p className="text-soft">{t('decisions.earlier', { count: rows.length - MOST_ROWS })}</p>
      )}
      <ScrollRegion aria-label={t('decisions.title')} className="shrink-0 overflow-x-auto">
        <table className="w-full min-w-150 table-fixed border-collapse [&_td]:py-1 [&_td]:pr-3 [&_td]:align-top">
          <thead className="border-line border-b text-left text-soft [&_th]:py-1 [&_th]:pr-3 [&_th]:font-medium">
            <tr>
              {COLUMNS.map(([column, width]) => (
                <th key={column} scope="col" className={width}>
                  {t(`decisions.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(-MOST_ROWS).map((row) => (
              <Decision key={`${row.number} ${row.place}`} row={row} state={state} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p>
        {totals(all)}{' '}
        <span className="text-soft">
          {t('history', { count: historyOf(state).length, most: limits.historyEntries })}
        </span>
      </p>
      {named.length > 1 && (
        <ul className="text-soft">
          {named.map(([name, metrics]) => (
            <li key={name} className="[overflow-wrap:anywhere]">
              <span className="font-mono">{name}</span> {totals(metrics)}
            </li>
          ))}
        </ul>
      )}
    </ScrollRegion>
  )
})

const COLUMNS = [
  ['batch', 'w-14'],
  ['time', 'w-22'],
  ['call', 'w-1/5'],
  ['decision', 'w-50'],
  ['result', ''],
] as const

const TONES: Readonly<Record<DecisionRow['kind'], string>> = {
  finished: 'text-good',
  failed: 'text-bad',
  refused: 'text-warn',
  dropped: 'text-warn',
  duplicate: 'text-warn',
}

const CONTENT_CHARS = 300

function Decision({ row, state }: { readonly row: DecisionRow; readonly state: SimulatorState }) {
  const { t, format } = useView('simulator.decisions')
  const { t: tCode } = useView('simulator.codes')
  const { kind, code, duration, content } = row
  const left = refusedFor(row, state)
  const refused = (['id', 'call'] as const).flatMap((key) =>
    left && left[key] > 0 ? t(`refused.${key}`, { time: format.duration(left[key], 0) }) : [],
  )
  return (
    <tr className="border-line border-b last:border-b-0">
      <td>{t('batchNumber', { number: row.number })}</td>
      <td className="whitespace-nowrap">{format.duration(row.startedAt, 3)}</td>
      <td className="font-mono [overflow-wrap:anywhere]">
        {row.name} <span className="text-soft">{row.callId}</span>
      </td>
      <td className="text-soft">
        <span className={`font-medium ${TONES[kind]}`}>{t(`kinds.${kind}`)}</span>{' '}
        {duration !== undefined && t('took', { time: format.duration(duration, 3) })}
        {code !== undefined && (
          <span className="block">
            <code className="text-ink text-xs">{code}</code> {tCode(code)}
          </span>
        )}
        {left !== undefined && (
          <span className="block">{refused.join(', ') || t('refused.none')}</span>
        )}
      </td>
      <td className="break-words font-mono [overflow-wrap:anywhere]">
        {content.slice(0, CONTENT_CHARS)}
        {content.length > CONTENT_CHARS && '…'}
      </td>
    </tr>
  )
}
