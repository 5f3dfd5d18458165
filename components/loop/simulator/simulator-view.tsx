'use client'

import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { nextRequestOf, turnCallsOf } from '@/lib/state/loop/next-request-builder'
import { refusalLanguageOf } from '@/lib/state/loop/next-request-inputs'
import {
  useNextRequestState,
  useSimulator,
  useSimulatorState,
  useWatchNextRequest,
} from '../loop-tools'
import { BatchCalls } from './batch-calls'
import { Decisions } from './decisions'
import { HistoryTable } from './history-table'
import { RunTotals } from './run-totals'
import { SimulatedTools } from './simulated-tools'
import { SimulatorControls } from './simulator-controls'
import { SimulatorLimits } from './simulator-limits'
import { Trace } from './trace'

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
        <section
          aria-label={t('batchesRun')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          tabIndex={0}
          className="flex min-h-0 flex-1 flex-col gap-4 lg:overflow-y-auto"
        >
          <RunTotals />
          <Decisions />
          <HistoryTable />
          <Trace />
        </section>
      </div>
    </div>
  )
}
