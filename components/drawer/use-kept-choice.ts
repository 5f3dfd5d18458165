import { useCallback, useSyncExternalStore } from 'react'

const CHANGED = 'kept-choice'

/** A choice kept in the browser; undefined where nothing is kept, the browser refuses, or it is none of the options. */
export function useKeptChoice<Choice extends string>(
  key: string,
  options: readonly Choice[],
): readonly [Choice | undefined, (choice: Choice | undefined) => void] {
  const subscribe = useCallback((onChange: () => void) => {
    addEventListener(CHANGED, onChange)
    return () => removeEventListener(CHANGED, onChange)
  }, [])
  const text = useSyncExternalStore(
    subscribe,
    () => kept(key),
    () => '',
  )
  const set = useCallback(
    (choice: Choice | undefined) => {
      unkept.set(key, choice ?? '')
      try {
        localStorage.setItem(key, choice ?? '')
      } catch {
        // It lasts as long as the page.
      }
      dispatchEvent(new Event(CHANGED))
    },
    [key],
  )
  return [options.find((option) => option === text), set]
}

const unkept = new Map<string, string>()

function kept(key: string): string {
  const known = unkept.get(key)
  if (known !== undefined) return known
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
