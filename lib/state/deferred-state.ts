/**
 * The store as views that are slow to draw read it. A change of the settings reaches them after the frame that shows it to
 * the other views, so that a drag stays smooth; several changes within a frame reach them as one. So does every change
 * of a large document. Every other change reaches them at once.
 */
import { afterFrame } from './after-frame'
import { shownMeasureOf } from './costs/request-view'
import { conversationRowsOf } from './document/conversation-rows'
import { LONGEST_AT_ONCE } from './document/large-text'
import { markKindsOf, messageTokensOf } from './document/message-facts'
import { resultGroupsOf, unansweredCallsOf } from './document/result-groups'
import { errorRuleCountsOf, toolSharesOf } from './policy/policy-facts'
import { runInTasks } from './run-in-tasks'
import type { PlaygroundStore } from './store'
import { arcsOf } from './uses/later-uses'

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

export type DeferredState = Pick<PlaygroundStore, 'getState' | 'getInitialState' | 'subscribe'>

export function deferState(store: PlaygroundStore): DeferredState {
  let shown = store.getState()
  const listeners = new Set<Parameters<PlaygroundStore['subscribe']>[0]>()
  let cancel: (() => void) | undefined
  const show = () => {
    cancel?.()
    cancel = undefined
    const before = shown
    shown = store.getState()
    for (const listener of listeners) listener(shown, before)
  }
  const computeAndShow = () => {
    const steps = COMPUTED_BEFORE.map((select) => () => select(store.getState()))
    cancel = runInTasks([...steps, show])
  }
  store.subscribe((state, before) => {
    const isSetting =
      state.policy !== before.policy && state.source === before.source && state.read === before.read
    const isLarge = state.source.text.length > LONGEST_AT_ONCE
    if (!isSetting && !isLarge) show()
    else cancel ??= afterFrame(isLarge ? computeAndShow : show)
  })
  return {
    getState: () => shown,
    getInitialState: store.getInitialState,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
