'use client'

import { useSyncExternalStore } from 'react'

/** Below this the editors are of no use and are not even loaded. */
const NARROW = '(max-width: 767px)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether the screen is a phone's; undefined before the browser could be asked. */
export function useIsNarrow(): boolean | undefined {
  return useSyncExternalStore<boolean | undefined>(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => undefined,
  )
}
