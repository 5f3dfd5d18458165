import { useCallback, useSyncExternalStore } from 'react'

const CHANGED = 'stored-choice'

/**
 * A choice stored in the browser. Undefined if there is none, storage is not available, or it is not one of the options.
 * A forgotten one lasts as long as the page.
 */
export function useStoredChoice<Choice extends string>(
  key: string,
  options: readonly Choice[],
  forgotten?: Choice,
): readonly [Choice | undefined, (choice: Choice | undefined) => void] {
  const subscribe = useCallback((onChange: () => void) => {
    addEventListener(CHANGED, onChange)
    return () => removeEventListener(CHANGED, onChange)
  }, [])
  const text = useSyncExternalStore(
    subscribe,
    () => storedText(key, forgotten),
    () => '',
  )
  const set = useCallback(
    (choice: Choice | undefined) => {
      choices.set(key, choice ?? '')
      try {
        localStorage.setItem(key, choice === forgotten ? '' : (choice ?? ''))
      } catch {
        // The choice lasts as long as the page.
      }
      dispatchEvent(new Event(CHANGED))
    },
    [key, forgotten],
  )
  return [options.find((option) => option === text), set]
}

const choices = new Map<string, string>()

function storedText(key: string, forgotten: string | undefined): string {
  const known = choices.get(key)
  if (known !== undefined) return known
  try {
    const stored = localStorage.getItem(key) ?? ''
    return stored === forgotten ? '' : stored
  } catch {
    return ''
  }
}
