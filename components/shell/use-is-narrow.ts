import { useSyncExternalStore } from 'react'

/** Below this width the page loads no editors. */
const NARROW = '(max-width: 1023px)'

/** One listener tells all at once: a panel that changes before its group has none. */
const told = new Set<() => void>()
let isFollowed = false

function subscribe(onChange: () => void) {
  if (!isFollowed)
    matchMedia(NARROW).addEventListener('change', () => {
      for (const tell of told) tell()
    })
  isFollowed = true
  told.add(onChange)
  return () => void told.delete(onChange)
}

/** True if the screen is too narrow for two editors; undefined before the first measurement. */
export const useIsNarrow = () =>
  useSyncExternalStore<boolean | undefined>(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => undefined,
  )
