/**
 * The store as views that are slow to draw read it. A change of the settings reaches them after the frame that shows it to
 * the other views, so that a drag stays smooth; several changes within a frame reach them as one. So does every change
 * of a large document. Every other change reaches them at once.
 */
import { shownMeasureOf } from './costs/request-view'
import { conversationRowsOf } from './document/conversation-rows'
import { LONGEST_AT_ONCE } from './document/large-text'
import {
  markKindsOf,
  messageTokensOf,
  resultGroupsOf,
  unansweredCallsOf,
} from './document/message-facts'
import { errorRuleCountsOf, toolSharesOf } from './policy/policy-facts'
import { previewedOf } from './policy/preview'
import type { PlaygroundStore } from './store'
import { arcsOf } from './uses/later-uses'

const MILLISECONDS_PER_TASK = 8

/**
 * Runs steps one after the other, in later tasks of about eight milliseconds or of one longer step. Returns a function that
 * cancels the rest.
 */
export function runInTasks(steps: readonly (() => unknown)[]): () => void {
  const run = (from: number) => {
    const start = performance.now()
    for (let at = from; at < steps.length; at++) {
      if (at > from && performance.now() - start >= MILLISECONDS_PER_TASK) {
        timer = setTimeout(run, 0, at)
        return
      }
      steps[at]?.()
    }
  }
  let timer = setTimeout(run, 0, 0)
  return () => clearTimeout(timer)
}

/** Frames stop in a hidden tab. */
const MOST_MILLISECONDS = 100

/** Calls a function once the next frame is drawn; returns a function that cancels the call. */
export function afterFrame(run: () => void): () => void {
  let timer = setTimeout(run, MOST_MILLISECONDS)
  if (typeof requestAnimationFrame === 'undefined') return () => clearTimeout(timer)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(run, 0)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

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
    const steps = COMPUTED_BEFORE.map((select) => () => select(previewedOf(store.getState())))
    cancel = runInTasks([...steps, show])
  }
  store.subscribe((state, before) => {
    const isSetting =
      (state.policy !== before.policy || state.preview !== before.preview) &&
      state.source === before.source &&
      state.read === before.read
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
