'use client'

import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { turnCallsOf } from '@/lib/state/loop-follow-up'
import { useFollowUpState, useRun, useRunState, useWatchFollowUp } from '../loop-tools'
import { BatchCalls } from './batch-calls'
import { Decisions } from './decisions'
import { HistoryTable } from './history-table'
import { RunControls } from './run-controls'
import { RunLimits } from './run-limits'
import { SimulatedTools } from './simulated-tools'
import { Trace } from './trace'

/** Runs batches of calls through the real guards with simulated tools: what is set up beside what happens. */
export function Runner() {
  const t = useTranslations('runner')
  const run = useRun()
  useWatchFollowUp()
  useEffect(() => run.watch(), [run])
  const turn = useFollowUpState(turnCallsOf)
  const hasRun = useRunState(({ batches }) => batches.length > 0)
  // A reset makes room for the calls of another conversation.
  useEffect(() => {
    if (turn !== undefined && !hasRun) run.offerCalls(turn)
  }, [run, turn, hasRun])
  return (
    <div className="flex min-h-0 flex-1 gap-x-6 gap-y-5 max-lg:flex-col">
      <div className="flex min-h-0 flex-col gap-4 lg:w-2/5 lg:min-w-90 lg:overflow-y-auto lg:pr-3 lg:pb-5">
        <p className="text-soft text-sm">{t('about')}</p>
        <BatchCalls turn={turn} />
        <SimulatedTools />
        <RunLimits />
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 lg:pb-4">
        <RunControls />
        <div className="flex min-h-0 flex-1 flex-col gap-4 lg:overflow-y-auto">
          <Decisions />
          <HistoryTable />
          <Trace />
        </div>
      </div>
    </div>
  )
}
