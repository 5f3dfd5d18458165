/**
 * The state for views that are slow to draw. A change of the settings reaches them after the frame that shows it to
 * the other views, so that a drag stays smooth; several changes within a frame reach them as one. So does every change
 * of a large document. Every other change reaches them at once.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { afterFrame } from './after-frame'
import { shownMeasureOf } from './costs/request-view'
import { conversationRowsOf } from './document/conversation-rows'
import { LONGEST_AT_ONCE } from './document/large-text'
import { markKindsOf, messageTokensOf } from './document/message-facts'
import { resultGroupsOf, unansweredCallsOf } from './document/result-groups'
import { errorRuleCountsOf, toolSharesOf } from './policy/policy-facts'
import { runInTasks } from './run-in-tasks'
import type { PlaygroundState, PlaygroundStore } from './store'
import { arcsOf } from './uses/arcs'

/** What views show of a large document. It is computed in tasks before the one that draws them; selectors remember it. */
const COMPUTED_BEFORE = [
  messageTokensOf,
  markKindsOf,
  resultGroupsOf,
  unansweredCallsOf,
  conversationRowsOf,
  arcsOf,
  toolSharesOf,
  errorRuleCountsOf,
  shownMeasureOf,
]

export function createLateStore(store: PlaygroundStore): StoreApi<PlaygroundState> {
  const late = createStore<PlaygroundState>(() => store.getState())
  let cancel: (() => void) | undefined
  const update = () => {
    cancel?.()
    cancel = undefined
    late.setState(store.getState(), true)
  }
  const computeAndUpdate = () => {
    const steps = COMPUTED_BEFORE.map((select) => () => select(store.getState()))
    cancel = runInTasks([...steps, update])
  }
  store.subscribe((state, before) => {
    const isSetting =
      state.policy !== before.policy && state.source === before.source && state.read === before.read
    const isLarge = state.source.text.length > LONGEST_AT_ONCE
    if (!isSetting && !isLarge) update()
    else cancel ??= afterFrame(isLarge ? computeAndUpdate : update)
  })
  return late
}
