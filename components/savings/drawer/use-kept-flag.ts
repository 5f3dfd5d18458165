import { useCallback, useSyncExternalStore } from 'react'

const CHANGED = 'kept-flag'

/** A yes or no kept in the browser; no where nothing is kept, or the browser refuses. */
export function useKeptFlag(key: string): readonly [boolean, (isOn: boolean) => void] {
  const subscribe = useCallback((onChange: () => void) => {
    addEventListener(CHANGED, onChange)
    return () => removeEventListener(CHANGED, onChange)
  }, [])
  const isOn = useSyncExternalStore(
    subscribe,
    () => kept(key),
    () => false,
  )
  const set = useCallback(
    (next: boolean) => {
      unkept.set(key, next)
      try {
        localStorage.setItem(key, String(next))
      } catch {
        // It lasts as long as the page.
      }
      dispatchEvent(new Event(CHANGED))
    },
    [key],
  )
  return [isOn, set]
}

const unkept = new Map<string, boolean>()

function kept(key: string): boolean {
  const known = unkept.get(key)
  if (known !== undefined) return known
  try {
    return localStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}
