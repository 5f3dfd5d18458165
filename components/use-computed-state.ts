import { useEffect, useState } from 'react'
import { LONGEST_AT_ONCE } from '@/lib/state/document/large-text'
import { runInTasks } from '@/lib/state/run-in-tasks'
import type { PlaygroundState } from '@/lib/state/store'
import { useDeferredState } from './playground-context'

type Selectors = readonly ((state: PlaygroundState) => unknown)[]

/**
 * The newest deferred state from which the selectors have computed what they remember. For a large document they do so in tasks
 * of their own, and the state is undefined before that, or an older one.
 */
export function useComputedState(selectors: Selectors): PlaygroundState | undefined {
  const state = useDeferredState((whole) => whole)
  const [computed, setComputed] = useState<PlaygroundState>()
  const isLarge = state.source.text.length > LONGEST_AT_ONCE
  useEffect(() => {
    if (!isLarge) return
    const steps = selectors.map((select) => () => select(state))
    return runInTasks([...steps, () => setComputed(state)])
  }, [state, isLarge, selectors])
  return isLarge ? computed : state
}
