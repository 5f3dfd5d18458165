import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type IntegerField, policyField } from '@/lib/core/policy/policy-fields'
import { nextBatch } from '@/lib/state/costs/sweep-chart'
import { conversationOf } from '@/lib/state/document/selectors'
import { windowReach } from '@/lib/state/policy/policy-facts'
import type { PlaygroundState } from '@/lib/state/store'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Slider } from '../ui/slider'
import { UseHistogram } from '../uses/use-histogram'
import { IntegerControl } from './generic-field'
import { useGesture } from './use-window'

/** Maximum of the slider without a conversation. */
const TURNS_WITHOUT_CONVERSATION = 32

/** The window: a slider over the turns of the conversation, and a field for any number. */
export function WindowField({
  children,
  caption,
}: {
  readonly children?: ReactNode
  readonly caption?: ReactNode
}) {
  const t = useTranslations('policy')
  const { store, actions } = usePlayground()
  const maximum = usePlaygroundState(maximumOf)
  const hasTurns = usePlaygroundState((state) => conversationOf(state) !== undefined)
  /** With several lines in the chart, Shift with up and down goes from one step size to the next. */
  const stepBatch = (event: KeyboardEvent) => {
    const isUp = event.key === 'ArrowUp'
    if (children === undefined || !event.shiftKey || !(isUp || event.key === 'ArrowDown')) return
    if (event.target instanceof HTMLInputElement && event.target.type !== 'range') return
    event.preventDefault()
    event.stopPropagation()
    const { batchTurns } = store.getState().policy
    actions.changePolicy({ batchTurns: nextBatch(batchTurns, isUp ? 1 : -1) })
  }
  return (
    <div onKeyDownCapture={stepBatch}>
      <IntegerControl field={policyField('windowTurns') as IntegerField} help={t('window.byAge')} />
      <div className="mt-1 px-2 sm:px-0">
        <WindowSlider>{children}</WindowSlider>
        <div className="-mt-1 flex items-center justify-between text-faint text-xs">
          <span aria-hidden>{t('window.scaleStart')}</span>
          {caption}
          <span aria-hidden className={hasTurns ? '' : 'invisible'}>
            {t('window.scaleEnd', { turns: maximum })}
          </span>
        </div>
      </div>
      <UseHistogram />
      <WindowSentence />
    </div>
  )
}

/** Apart, so that a step redraws it without what is around it. */
function WindowSlider({ children }: { readonly children: ReactNode }) {
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
  if (turns === undefined || turns === 0) return null
  const reach = windowReach(turns, policy)
  const isNothing = reach.state !== 'keeps'
  return (
    <p className={`mt-1 min-h-[1.45em] text-sm ${isNothing ? 'text-warn' : 'text-soft'}`}>
      {sentence()}
    </p>
  )

  function sentence(): string {
    switch (reach.state) {
      case 'off':
        return t('off')
      case 'longer':
      case 'all':
        return t(reach.state, { turns: reach.turns })
      case 'before_first_step':
        return t('before_first_step', { batch: policy.batchTurns })
      case 'keeps':
        return t(reach.kept === 1 ? 'keepsOne' : 'keeps', {
          first: reach.first,
          turns: reach.turns,
          batch: reach.kept > policy.windowTurns ? policy.batchTurns : 1,
        })
    }
  }
}
