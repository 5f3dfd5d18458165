'use client'

import { useSyncExternalStore } from 'react'

/** Below this width the page loads no editors. */
const NARROW = '(max-width: 1023px)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** True if the screen is too narrow for two editors; undefined before the first measurement. */
export function useIsNarrow(): boolean | undefined {
  return useSyncExternalStore<boolean | undefined>(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => undefined,
  )
}
