'use client'

import { FastForward, History, RotateCcw, StepForward } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { isBatchDone } from '@/lib/core/loop/run-batch'
import { conversationFileName } from '@/lib/state/files/chat-body'
import { conversationOfRun, resultsOfRun } from '@/lib/state/loop/simulator-rows'
import { useDrafts } from '../../drafts/drafts-context'
import { usePlayground } from '../../playground-context'
import { Button } from '../../ui/button'
import { SegmentedControl } from '../../ui/segmented-control'
import { useFigureFormat } from '../../use-figure-format'
import { useNextRequest, useSimulator, useSimulatorState } from '../loop-tools'

/** Steps through the batch, sets the clock, and uses or saves the results. */
export function SimulatorControls() {
  const t = useTranslations('simulator')
  const { store, actions } = usePlayground()
  const drafts = useDrafts()
  const simulator = useSimulator()
  const nextRequest = useNextRequest()
  const { calls, batches, running, isRunningAll } = useSimulatorState((state) => state)
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
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          size="small"
          disabled={cannotRun}
          onClick={() => void run(simulator.step)}
          icon={StepForward}
        >
          {t('step')}
        </Button>
        <Button
          size="small"
          kind="primary"
          disabled={cannotRun}
          onClick={() => void run(simulator.runBatch)}
          icon={FastForward}
        >
          {last !== undefined && !isDone ? t('rest') : t('run', { number: batches.length + 1 })}
        </Button>
        <Button
          size="small"
          disabled={batches.length === 0}
          onClick={simulator.reset}
          icon={RotateCcw}
        >
          {t('reset')}
        </Button>
        <Button size="small" disabled={!hasResults} onClick={applyResults}>
          {t('useResults')}
        </Button>
        <Button size="small" disabled={!hasResults} onClick={() => saveRun(true)} icon={History}>
          {t('saveAsConversation')}
        </Button>
      </div>
      <Clock />
      <Status isDone={isDone} />
    </div>
  )
}

const JUMPS = [
  ['second', 1000],
  ['halfMinute', 30_000],
  ['fiveMinutes', 300_000],
] as const

function Clock() {
  const t = useTranslations('simulator.clock')
  const simulator = useSimulator()
  const isReal = useSimulatorState((state) => state.isClockReal)
  const now = useSimulatorState((state) => state.now)
  const hasBegun = useSimulatorState(({ batches }) => batches.length > 0)
  const { duration } = useFigureFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="text-soft text-sm">{t('title')}</span>
      <SegmentedControl
        kind="quiet"
        label={t('mode')}
        value={isReal ? 'real' : 'byHand'}
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
        {hasBegun ? t('now', { time: duration(now, 1) }) : t('atRest')}
      </span>
    </div>
  )
}

function Status({ isDone }: { isDone: boolean }) {
  const t = useTranslations('simulator')
  const running = useSimulatorState((state) => state.running)
  const isReal = useSimulatorState((state) => state.isClockReal)
  const number = useSimulatorState((state) => state.batches.length)
  return (
    <p aria-live="polite" className="min-h-5 text-soft text-sm">
      {running !== undefined &&
        `${t('running', { name: running.call.name, id: running.call.id })} ${isReal ? '' : t('waiting')}`}
      {running === undefined && isDone && t('nextBatch', { number })}
    </p>
  )
}
