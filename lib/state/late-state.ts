/**
 * The state for views that are slow to draw. A change of the settings reaches them after the frame that shows it to
 * the other views, so that a drag stays smooth; several changes within a frame reach them as one. So does every change
 * of a large document. Every other change reaches them at once.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { LONGEST_AT_ONCE } from './document/large-text'
import type { PlaygroundState, PlaygroundStore } from './store'

/** Frames stop in a hidden tab. */
const MOST_MILLISECONDS = 100

export function createLateStore(store: PlaygroundStore): StoreApi<PlaygroundState> {
  const late = createStore<PlaygroundState>(() => store.getState())
  let cancel: (() => void) | undefined
  const update = () => {
    cancel?.()
    cancel = undefined
    late.setState(store.getState(), true)
  }
  store.subscribe((state, before) => {
    const isSetting =
      state.policy !== before.policy && state.source === before.source && state.read === before.read
    const isLarge = state.source.text.length > LONGEST_AT_ONCE
    if (!isSetting && !isLarge) update()
    else cancel ??= afterFrame(update)
  })
  return late
}

/** Calls a function once the next frame is drawn; returns a function that cancels the call. */
function afterFrame(run: () => void): () => void {
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
