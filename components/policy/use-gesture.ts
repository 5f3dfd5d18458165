import { useRef } from 'react'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { usePlayground } from '../playground-context'

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
