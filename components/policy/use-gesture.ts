import { useRef } from 'react'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { usePlayground } from '../playground-context'

/** Keys and typing pause for so long before the next one is an undo step of its own. */
const PAUSE_MS = 900

/** Changes of one setting that belong together: a drag, a burst of keys, a word typed. */
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
