import { Copy, FastForward, History, type LucideIcon, RotateCcw, StepForward } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { isBatchDone } from '@/lib/core/loop/run-batch'
import { type RunMetrics, runMetrics, writeTrace } from '@/lib/core/loop/run-metrics'
import { conversationFileName } from '@/lib/state/files/chat-body'
import { nextRequestOf, turnCallsOf } from '@/lib/state/loop/next-request-builder'
import { refusalLanguageOf } from '@/lib/state/loop/next-request-inputs'
import { conversationOfRun, resultsOfRun } from '@/lib/state/loop/simulator-rows'
import { useDrafts } from '../../drafts/drafts-context'
import { useView } from '../../playground-context'
import { copyText } from '../../save-file'
import { Button } from '../../ui/button'
import { SegmentedControl } from '../../ui/segmented-control'
import { ScrollRegion } from '../../ui/table'
import {
  useNextRequest,
  useNextRequestState,
  useSimulator,
  useSimulatorState,
  useWatchNextRequest,
} from '../loop-tools'
import { Decisions, HistoryTable } from './run-tables'
import { BatchCalls, SimulatedTools, SimulatorLimits } from './simulator-setup'

/** Runs batches of calls through the real guards with simulated tools. Setup is beside the results. */
export function SimulatorView() {
  const t = useTranslations('simulator')
  const simulator = useSimulator()
  useWatchNextRequest()
  useEffect(() => simulator.watch(), [simulator])
  const turn = useNextRequestState(turnCallsOf)
  const schemas = useNextRequestState(nextRequestOf)?.toolSchemas
  const language = useNextRequestState((_, { inputs }) => refusalLanguageOf(inputs))
  useEffect(() => simulator.setLanguage(language), [simulator, language])
  useEffect(() => simulator.setSchemas(schemas ?? new Map()), [simulator, schemas])
  const hasRun = useSimulatorState(({ batches }) => batches.length > 0)
  // After a reset, the calls of another conversation can load.
  useEffect(() => {
    if (turn !== undefined && !hasRun) simulator.offerCalls(turn)
  }, [simulator, turn, hasRun])
  return (
    <div className="flex min-h-0 flex-1 gap-x-6 gap-y-5 max-lg:flex-col">
      <div className="flex min-h-0 flex-col gap-4 lg:w-2/5 lg:min-w-90 lg:overflow-y-auto lg:pr-3 lg:pb-5">
        <p className="text-soft text-sm">{t('about')}</p>
        <BatchCalls turn={turn} />
        <SimulatedTools />
        <SimulatorLimits />
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 lg:pb-4">
        <SimulatorControls />
        <ScrollRegion
          aria-label={t('batchesRun')}
          className="flex min-h-0 flex-1 flex-col gap-4 lg:overflow-y-auto"
        >
          <RunTotals />
          <Decisions />
          <HistoryTable />
          <Trace />
        </ScrollRegion>
      </div>
    </div>
  )
}

/** Totals of the run, and of each tool if there are several. Renders nothing before a call has ended. */
function RunTotals() {
  const { t, format } = useView('simulator.totals')
  const events = useDeferredValue(useSimulatorState((state) => state.events))
  const { all, tools } = useMemo(() => runMetrics(events), [events])
  if (all.calls === 0) return null
  const named = [...tools].filter(([, { calls }]) => calls > 0)
  const totals = ({ successRate, averageTime, ...counts }: RunMetrics) =>
    [
      t('calls', counts),
      successRate !== undefined && t('rate', { successRate }),
      averageTime !== undefined && t('time', { time: format.duration(averageTime, 3) }),
    ]
      .filter(Boolean)
      .join(' ')
  return (
    <section aria-label={t('title')} className="text-sm tabular-nums">
      <p>{totals(all)}</p>
      {named.length > 1 && (
        <ul className="text-soft">
          {named.map(([name, metrics]) => (
            <li key={name} className="[overflow-wrap:anywhere]">
              <span className="font-mono">{name}</span> {totals(metrics)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const MOST_ROWS = 16

/** The trace of the run, to read or copy. Renders nothing before the run starts. */
function Trace() {
  const { t, actions } = useView('simulator.trace')
  const events = useDeferredValue(useSimulatorState((state) => state.events))
  const text = useMemo(() => writeTrace(events), [events])
  if (events.length === 0) return null
  const copy = () => copyText(actions, text, 'copied_export', { name: t('name') })
  return (
    <section aria-label={t('title')}>
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">{t('title')}</h3>
        <Button size="small" onClick={() => void copy()} icon={Copy}>
          {t('copy')}
        </Button>
      </div>
      <textarea
        readOnly
        aria-label={t('text')}
        value={text}
        rows={Math.min(MOST_ROWS, events.length + 1)}
        wrap="off"
        spellCheck={false}
        className="mt-1 block w-full resize-none rounded-md border border-line bg-raised p-2 font-mono text-sm leading-normal outline-none focus-visible:border-accent"
      />
    </section>
  )
}

/** Steps through the batch, sets the clock, and uses or saves the results. */
export function SimulatorControls() {
  const { t, store, actions } = useView('simulator')
  const drafts = useDrafts()
  const simulator = useSimulator()
  const nextRequest = useNextRequest()
  const { calls, batches, running, isRunningAll, isClockReal } = useSimulatorState()
  const last = batches.at(-1)
  const isDone = last !== undefined && isBatchDone(last)
  const cannotRun = calls.length === 0 || running !== undefined || isRunningAll
  const hasResults = batches.some(({ results }) => results.length > 0)
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
  const run = async (work: () => Promise<void>) => {
    await work()
    const ended = simulator.store.getState().batches.at(-1)
    if (ended !== undefined && isBatchDone(ended)) saveRun(false)
  }
  const applyResults = () => {
    const count = nextRequest.applyResults(resultsOfRun(batches))
    if (count === 0) actions.notify('results_not_applied', {}, 'error')
    else actions.notify('results_applied', { count })
  }
  const isPartial = last !== undefined && !isDone
  const whole = isPartial ? t('rest') : t('run', { number: batches.length + 1 })
  const button = (
    label: string,
    disabled: boolean,
    onClick: () => void,
    icon?: LucideIcon,
    kind: 'plain' | 'primary' = 'plain',
  ) => (
    <Button size="small" {...{ disabled, onClick, kind }} {...(icon && { icon })}>
      {label}
    </Button>
  )
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        {button(t('step'), cannotRun, () => void run(simulator.step), StepForward)}
        {button(whole, cannotRun, () => void run(simulator.runBatch), FastForward, 'primary')}
        {button(t('reset'), batches.length === 0, simulator.reset, RotateCcw)}
        {button(t('useResults'), !hasResults, applyResults)}
        {button(t('saveAsConversation'), !hasResults, () => saveRun(true), History)}
      </div>
      <Clock />
      <p aria-live="polite" className="min-h-5 text-soft text-sm">
        {running !== undefined &&
          `${t('running', { name: running.call.name, id: running.call.id })} ${isClockReal ? '' : t('waiting')}`}
        {running === undefined && isDone && t('nextBatch', { number: batches.length })}
      </p>
    </div>
  )
}

const JUMPS = [
  ['second', 1000],
  ['halfMinute', 30_000],
  ['fiveMinutes', 300_000],
] as const

function Clock() {
  const { t, format } = useView('simulator.clock')
  const simulator = useSimulator()
  const { isClockReal, now, batches } = useSimulatorState()
  const hasBegun = batches.length > 0
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="text-soft text-sm">{t('title')}</span>
      <SegmentedControl
        kind="quiet"
        label={t('mode')}
        value={isClockReal ? 'real' : 'byHand'}
        options={(['real', 'byHand'] as const).map((value) => ({ value, label: t(value) }))}
        onValueChange={(value) => simulator.setClockReal(value === 'real')}
      />
      <fieldset aria-label={t('advance')} className="flex gap-1">
        {JUMPS.map(([label, milliseconds]) => (
          <Button
            key={label}
            size="small"
            kind="ghost"
            disabled={!hasBegun}
            onClick={() => void simulator.advance(milliseconds)}
          >
            {t(label)}
          </Button>
        ))}
      </fieldset>
      <span className="text-soft text-sm tabular-nums">
        {hasBegun ? t('now', { time: format.duration(now, 1) }) : t('atRest')}
      </span>
    </div>
  )
}
