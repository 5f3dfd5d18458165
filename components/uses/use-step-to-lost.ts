import { lostUsesOf } from '@/lib/state/policy/policy-view'
import { stepResult } from '@/lib/state/timeline/step-message'
import { laterUsesOf } from '@/lib/state/uses/later-uses'
import { usePlayground } from '../playground-context'

/** Returns a function that goes to the next result that is used again; with `isLost`, after it was masked. */
export function useStepToLost(): (isLost: boolean, isBack?: boolean) => void {
  const { store, actions } = usePlayground()
  return (isLost, isBack = false) => {
    const state = store.getState()
    const conversation = state.read?.model.conversations[state.conversation]
    const uses = (isLost ? lostUsesOf(state) : laterUsesOf(state)) ?? []
    const results = [...new Set(uses.map(({ result }) => result))].sort((a, b) => a - b)
    const next = stepResult(results, state.selection?.result, isBack)
    const message = next === undefined ? undefined : conversation?.results[next]?.message
    if (message !== undefined) actions.select(message, next, 'timeline')
  }
}
