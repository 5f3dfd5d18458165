'use client'

import { Copy } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { type RunMetrics, runMetrics, writeTrace } from '@/lib/core/loop/run-metrics'
import { nextRequestOf, turnCallsOf } from '@/lib/state/loop/next-request-builder'
import { refusalLanguageOf } from '@/lib/state/loop/next-request-inputs'
import { usePlayground } from '../../playground-context'
import { copyText } from '../../save-file'
import { Button } from '../../ui/button'
import { ScrollRegion } from '../../ui/table'
import { useFigureFormat } from '../../use-figure-format'
import {
  useNextRequestState,
  useSimulator,
  useSimulatorState,
  useWatchNextRequest,
} from '../loop-tools'
import { BatchCalls } from './batch-calls'
import { Decisions, HistoryTable } from './run-tables'
import { SimulatorControls } from './simulator-controls'
import { SimulatedTools, SimulatorLimits } from './simulator-setup'

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
  const t = useTranslations('simulator.totals')
  const { duration } = useFigureFormat()
  const events = useDeferredValue(useSimulatorState((state) => state.events))
  const { all, tools } = useMemo(() => runMetrics(events), [events])
  if (all.calls === 0) return null
  const named = [...tools].filter(([, { calls }]) => calls > 0)
  const totals = ({ successRate, averageTime, ...counts }: RunMetrics) =>
    [
      t('calls', counts),
      successRate !== undefined && t('rate', { successRate }),
      averageTime !== undefined && t('time', { time: duration(averageTime, 3) }),
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
  const t = useTranslations('simulator.trace')
  const { actions } = usePlayground()
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
