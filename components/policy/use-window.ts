import { useCallback } from 'react'
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
