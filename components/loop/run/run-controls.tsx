'use client'

import { FastForward, History, RotateCcw, StepForward } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { isBatchDone } from '@/lib/core/loop/step-batch'
import { conversationFileName } from '@/lib/state/chat-body'
import { resultsOfRun, runThread } from '@/lib/state/loop-run-thread'
import { useDrafts } from '../../drafts/drafts-context'
import { usePlayground } from '../../playground-context'
import { Button } from '../../ui/button'
import { SegmentedControl } from '../../ui/segmented-control'
import { useFollowUp, useRun, useRunState } from '../loop-tools'
import { useDurationFormat } from './use-duration-format'

/** Goes through the batch, moves the clock, and takes away what came of it. */
export function RunControls() {
  const t = useTranslations('runner')
  const run = useRun()
  const { calls, batches, running, isRunningAll } = useRunState((state) => state)
  const last = batches.at(-1)
  const isDone = last !== undefined && isBatchDone(last)
  const isUnderWay = last !== undefined && !isDone
  const isBusy = running !== undefined || isRunningAll
  const isIdle = calls.length === 0
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <Button size="small" disabled={isIdle || isBusy} onClick={() => void run.step()}>
          <StepForward className="size-3.5" aria-hidden />
          {t('step')}
        </Button>
        <Button
          size="small"
          kind="primary"
          disabled={isIdle || isBusy}
          onClick={() => void run.runBatch()}
        >
          <FastForward className="size-3.5" aria-hidden />
          {isUnderWay ? t('rest') : t('run', { number: batches.length + 1 })}
        </Button>
        <Button size="small" disabled={batches.length === 0} onClick={run.reset}>
          <RotateCcw className="size-3.5" aria-hidden />
          {t('reset')}
        </Button>
        <Outcome />
      </div>
      <Clock />
      <Status isDone={isDone} />
    </div>
  )
}

/** What is done with a run: its results go into the follow-up, it is kept as a conversation. */
function Outcome() {
  const t = useTranslations('runner')
  const { actions, store } = usePlayground()
  const drafts = useDrafts()
  const followUp = useFollowUp()
  const run = useRun()
  const batches = useRunState((state) => state.batches)
  const hasResults = batches.some(({ results }) => results.length > 0)
  const take = () => {
    const count = followUp.takeResults(resultsOfRun(batches))
    if (count === 0) actions.notify('run_not_taken', {}, 'error')
    else actions.notify('run_taken', { count })
  }
  const keep = () => {
    const state = run.store.getState()
    void drafts.keepThread({
      key: `run/${state.id}`,
      name: conversationFileName(store.getState(), [`${t('fileName')}.json`]),
      text: runThread(state),
      turns: batches.length,
    })
  }
  return (
    <>
      <Button size="small" disabled={!hasResults} onClick={take}>
        {t('take')}
      </Button>
      <Button size="small" disabled={!hasResults} onClick={keep}>
        <History className="size-3.5" aria-hidden />
        {t('keep')}
      </Button>
    </>
  )
}

const JUMPS = [
  ['second', 1000],
  ['halfMinute', 30_000],
  ['fiveMinutes', 300_000],
] as const

function Clock() {
  const t = useTranslations('runner.clock')
  const run = useRun()
  const isReal = useRunState((state) => state.isClockReal)
  const now = useRunState((state) => state.now)
  const hasBegun = useRunState(({ batches }) => batches.length > 0)
  const duration = useDurationFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="text-soft text-sm">{t('title')}</span>
      <SegmentedControl
        kind="quiet"
        label={t('mode')}
        value={isReal ? 'real' : 'byHand'}
        options={(['real', 'byHand'] as const).map((value) => ({ value, label: t(value) }))}
        onValueChange={(value) => run.setClockReal(value === 'real')}
      />
      <fieldset aria-label={t('advance')} className="flex gap-1">
        {JUMPS.map(([label, milliseconds]) => (
          <Button
            key={label}
            size="small"
            kind="ghost"
            disabled={!hasBegun}
            onClick={() => void run.advance(milliseconds)}
          >
            {t(label)}
          </Button>
        ))}
      </fieldset>
      <span className="text-soft text-sm tabular-nums">
        {hasBegun ? t('now', { time: duration(now) }) : t('atRest')}
      </span>
    </div>
  )
}

function Status({ isDone }: { readonly isDone: boolean }) {
  const t = useTranslations('runner')
  const running = useRunState((state) => state.running)
  const isReal = useRunState((state) => state.isClockReal)
  const number = useRunState((state) => state.batches.length)
  return (
    <p aria-live="polite" className="min-h-5 text-soft text-sm">
      {running !== undefined && (
        <>
          {t('running', { name: running.call.name, id: running.call.id })} {!isReal && t('waiting')}
        </>
      )}
      {running === undefined && isDone && t('nextBatch', { number })}
    </p>
  )
}
