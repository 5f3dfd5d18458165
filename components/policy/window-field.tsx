import { type ReactNode, useRef } from 'react'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { batchNumber } from '@/lib/core/policy/policy'
import { conversationOf } from '@/lib/state/document/selectors'
import { windowReach } from '@/lib/state/policy/policy-facts'
import { windowStepsOf } from '@/lib/state/policy/policy-view'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { Slider } from '../ui/slider'

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

/** The window: a field for any number, and a slider over the turns of the conversation. */
export function WindowField({ field }: { field: ReactNode }) {
  const { t } = useView('policy')
  const gesture = useGesture('windowTurns')
  const windowTurns = usePlaygroundState(({ policy }) => policy.windowTurns)
  const maximum =
    usePlaygroundState((state) => conversationOf(state)?.turnCount) ?? TURNS_WITHOUT_CONVERSATION
  return (
    <div>
      {field}
      <Slider
        label={t('labels.windowTurns')}
        value={windowTurns}
        minimum={0}
        maximum={maximum}
        onValueChange={(next) => gesture.change({ windowTurns: next })}
        onValueCommitted={(_, by) => (by === 'pointer' ? gesture.end() : gesture.endSoon())}
        valueText={(n) => t('window.value', { n })}
        isDisabled={maximum === 0}
      />
      <WindowSentence />
    </div>
  )
}

function WindowSentence() {
  const { t } = useView('policy.window')
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
    const values = { first: reach.first, turns, batch, window: windowTurns }
    return t(reach.kept === 1 ? 'keepsOne' : 'keeps', values)
  }
  return (
    <p
      className={`mt-1 ${batchTurns === 1 ? 'min-h-[1.45em]' : 'min-h-[2.9em]'} text-sm ${reach.state === 'keeps' ? 'text-soft' : 'text-warn'}`}
    >
      {sentence()}
    </p>
  )
}
