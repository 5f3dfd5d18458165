import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type IntegerField, policyField } from '@/lib/core/policy/policy-fields'
import { windowReach } from '@/lib/state/policy-facts'
import { conversationOf } from '@/lib/state/selectors'
import { usePlaygroundState } from '../playground-context'
import { Slider } from '../ui/slider'
import { IntegerControl } from './generic-field'
import { useGesture } from './use-gesture'

/** The slider's length while there is no conversation to give one. */
const TURNS_WITHOUT_CONVERSATION = 32

/** The window: a slider over the turns of the conversation shown and a box that takes any number. */
export function WindowField({ children }: { readonly children?: ReactNode }) {
  const t = useTranslations('policy')
  const gesture = useGesture('windowTurns')
  const windowTurns = usePlaygroundState(({ policy }) => policy.windowTurns)
  const turns = usePlaygroundState((state) => conversationOf(state)?.turnCount)
  const maximum = turns ?? TURNS_WITHOUT_CONVERSATION
  return (
    <div>
      <IntegerControl field={policyField('windowTurns') as IntegerField} />
      <div className="mt-1 px-2 sm:px-0">
        <Slider
          label={t('labels.windowTurns')}
          value={windowTurns}
          minimum={0}
          maximum={maximum}
          onValueChange={(next) => gesture.change({ windowTurns: next })}
          onValueCommitted={(_, by) => (by === 'pointer' ? gesture.end() : gesture.endSoon())}
          valueText={(n) => t('window.value', { n })}
          isDisabled={turns === 0}
        >
          {children}
        </Slider>
        <div aria-hidden className="-mt-1 flex justify-between text-faint text-xs">
          <span>{t('window.scaleStart')}</span>
          <span>{t('window.scaleEnd', { turns: maximum })}</span>
        </div>
      </div>
      <WindowSentence />
    </div>
  )
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
        })
    }
  }
}
