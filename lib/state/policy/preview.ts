/** A policy that is looked at: the instrument shows what it would do, and nothing else changes. */
import { memoizeFor } from '@/lib/core/memoize-for'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { PlaygroundState, PlaygroundStore } from '../store'

/** A pointer that only passes a choice, or leaves one for the next, changes nothing. */
const MILLISECONDS_BEFORE = 80

/** The state with the policy that is looked at in place of the current one, as if the user had set it. */
export function previewedOf(state: PlaygroundState): PlaygroundState {
  const { preview: policy } = state
  if (policy === undefined) return state
  const chosen = { policy, policyFrom: 'user', preview: undefined } as const
  return memoizeFor(state, previewedOf, () => ({ ...state, ...chosen }))
}

/** The same store, whose readers get the previewed states. */
export function previewedStore<Store extends Pick<PlaygroundStore, 'getState' | 'subscribe'>>(
  store: Store,
): Store {
  return {
    ...store,
    getState: () => previewedOf(store.getState()),
    subscribe: (listener) =>
      store.subscribe((state, before) => listener(previewedOf(state), previewedOf(before))),
  }
}

export function createPreview({ setState: set, subscribe }: PlaygroundStore) {
  let timer: ReturnType<typeof setTimeout> | undefined
  subscribe((state, before) => {
    const { policy, source, conversation } = before
    if (state.policy === policy && state.source === source && state.conversation === conversation)
      return
    clearTimeout(timer)
    if (state.preview !== undefined) set({ preview: undefined })
  })
  return {
    /** Previews the policy with these settings, unless something changes before; undefined ends it. */
    preview: (change: Partial<MaskPolicy> | undefined) => {
      clearTimeout(timer)
      const show = () => set(({ policy }) => ({ preview: change && { ...policy, ...change } }))
      timer = setTimeout(show, MILLISECONDS_BEFORE)
    },
    /** Asks what each of these policies does to the session. Returns what ends that, unless another view asks by then. */
    offer: (offered: PlaygroundState['offered']) => {
      set({ offered })
      return () => set((state) => (state.offered === offered ? { offered: undefined } : {}))
    },
  }
}
