import { useCallback, useRef } from 'react'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { MaskWindow } from '@/lib/core/replay/masking-plan'
import { useDeferredState, usePlayground } from '../playground-context'

/** Sets a window and batch and turns masking on, as an undo step of its own. */
export function useApplyWindow(): (window: MaskWindow) => void {
  const { actions } = usePlayground()
  return useCallback(
    ({ windowTurns, batchTurns }) => {
      actions.endGesture()
      actions.changePolicy({ windowTurns, batchTurns, enabled: true })
    },
    [actions],
  )
}

/** Whether masking is on with this window and batch. */
export function useIsWindowSet(window: MaskWindow | undefined): boolean {
  const { enabled, windowTurns, batchTurns } = useDeferredState((state) => state.policy)
  return enabled && windowTurns === window?.windowTurns && batchTurns === window.batchTurns
}

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
