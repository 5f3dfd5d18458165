import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { batchNumber } from '@/lib/core/policy/policy'
import { nextBatch } from '@/lib/state/costs/sweep-chart'
import { conversationOf } from '@/lib/state/document/selectors'
import { windowReach } from '@/lib/state/policy/policy-facts'
import { windowStepsOf } from '@/lib/state/policy/policy-view'
import type { PlaygroundState } from '@/lib/state/store'
import { SweepCaption, SweepChart } from '../cost/sweep-table'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { Slider } from '../ui/slider'
import { UseHistogram } from '../uses/use-lines'

/** After a pause of this many milliseconds, the next key starts a new undo step. */
const PAUSE_MS = 900

/** Groups changes of one setting into one undo step: a drag, a burst of keys, a typed word. */
export function useGesture(key: keyof MaskPolicy) {
  const { actions } = usePlayground()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return {
    change: (change: Partial<MaskPolicy>) => {
      clearTimeout(timer.current)
      actions.changePolicy(change, key)
    },
    end: () => {
      clearTimeout(timer.current)
      actions.endGesture()
    },
    endSoon: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => actions.endGesture(key), PAUSE_MS)
    },
  }
}

/** Maximum of the slider without a conversation. */
const TURNS_WITHOUT_CONVERSATION = 32

/** The window: a field for any number, and a slider over the turns of the conversation with the chart of its costs. */
export function WindowField({ field }: { field: ReactNode }) {
  const { t, store, actions } = useView('policy.window')
  const maximum = usePlaygroundState(maximumOf)
  const hasTurns = usePlaygroundState((state) => conversationOf(state) !== undefined)
  /** With several lines in the chart, Shift with up and down goes from one step size to the next. */
  const stepBatch = (event: KeyboardEvent) => {
    const isUp = event.key === 'ArrowUp'
    if (!event.shiftKey || !(isUp || event.key === 'ArrowDown')) return
    if (event.target instanceof HTMLInputElement && event.target.type !== 'range') return
    event.preventDefault()
    event.stopPropagation()
    const { batchTurns } = store.getState().policy
    actions.changePolicy({ batchTurns: nextBatch(batchTurns, isUp ? 1 : -1) })
  }
  return (
    <div onKeyDownCapture={stepBatch}>
      {field}
      <div className="mt-1 px-2 sm:px-0">
        <WindowSlider>
          <SweepChart />
        </WindowSlider>
        <div className="-mt-1 flex items-center justify-between text-faint text-xs">
          <span aria-hidden>{t('scaleStart')}</span>
          <SweepCaption />
          <span aria-hidden className={hasTurns ? '' : 'invisible'}>
            {t('scaleEnd', { turns: maximum })}
          </span>
        </div>
      </div>
      <UseHistogram />
      <WindowSentence />
    </div>
  )
}

/** Apart, so that a step redraws it without what is around it. */
function WindowSlider({ children }: { children: ReactNode }) {
  const t = useTranslations('policy')
  const gesture = useGesture('windowTurns')
  const windowTurns = usePlaygroundState(({ policy }) => policy.windowTurns)
  const maximum = usePlaygroundState(maximumOf)
  return (
    <Slider
      label={t('labels.windowTurns')}
      value={windowTurns}
      minimum={0}
      maximum={maximum}
      onValueChange={(next) => gesture.change({ windowTurns: next })}
      onValueCommitted={(_, by) => (by === 'pointer' ? gesture.end() : gesture.endSoon())}
      valueText={(n) => t('window.value', { n })}
      isDisabled={maximum === 0}
    >
      {children}
    </Slider>
  )
}

/** The turns of the conversation. */
function maximumOf(state: PlaygroundState): number {
  return conversationOf(state)?.turnCount ?? TURNS_WITHOUT_CONVERSATION
}

function WindowSentence() {
  const t = useTranslations('policy.window')
  const policy = usePlaygroundState((state) => state.policy)
  const turns = usePlaygroundState((state) => conversationOf(state)?.turnCount)
  const steps = usePlaygroundState(windowStepsOf)
  if (turns === undefined || turns === 0) return null
  const reach = windowReach(turns, policy, steps)
  const { windowTurns } = policy
  const batchTurns = batchNumber(policy)
  const sentence = () => {
    if (reach.state !== 'keeps') return t(reach.state, { turns, batch: batchTurns })
    const batch = reach.kept > windowTurns ? batchTurns : 1
    return t(reach.kept === 1 ? 'keepsOne' : 'keeps', { first: reach.first, turns, batch })
  }
  return (
    <p
      className={`mt-1 min-h-[1.45em] text-sm ${reach.state === 'keeps' ? 'text-soft' : 'text-warn'}`}
    >
      {sentence()}
    </p>
  )
}
