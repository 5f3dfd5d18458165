'use client'

import { useSyncExternalStore } from 'react'

/** Below this two editors side by side are of no use, and they are not even loaded. */
const NARROW = '(max-width: 1023px)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether the screen is too narrow for two editors; undefined before the browser could be asked. */
export function useIsNarrow(): boolean | undefined {
  return useSyncExternalStore<boolean | undefined>(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => undefined,
  )
}
