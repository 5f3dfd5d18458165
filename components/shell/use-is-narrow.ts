import { useCallback, useSyncExternalStore } from 'react'

/** Below this width the page loads no editors. */
const NARROW = '(max-width: 1023px)'

/** True if the screen is too narrow for two editors; undefined before the first measurement. */
export const useIsNarrow = () => useMatches(NARROW)

/** What each query tells. One listener tells all at once: a panel that changes before its group has none. */
const told = new Map<string, Set<() => void>>()

function useMatches(query: string): boolean | undefined {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const all = told.get(query) ?? new Set()
      if (!told.has(query))
        matchMedia(query).addEventListener('change', () => {
          for (const tell of all) tell()
        })
      told.set(query, all.add(onChange))
      return () => void all.delete(onChange)
    },
    [query],
  )
  return useSyncExternalStore<boolean | undefined>(
    subscribe,
    () => matchMedia(query).matches,
    () => undefined,
  )
}
