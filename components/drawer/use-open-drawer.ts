import { useCallback, useSyncExternalStore } from 'react'
import { readStored, STORAGE_KEYS, writeStored } from '@/lib/state/sync-stored'

const DRAWERS = ['loop', 'files'] as const

export type DrawerId = (typeof DRAWERS)[number]

/** The open drawer, stored between visits; not the one of the files, which are gone by then. Only one is open at a time. */
export function useOpenDrawer(): readonly [
  DrawerId | undefined,
  (drawer: DrawerId | undefined) => void,
] {
  return useStoredChoice(STORAGE_KEYS.drawer, DRAWERS, 'files')
}

/** The parts of the drawer of tool calls, in order. */
export const LOOP_PART_IDS = [
  'repeated_calls',
  'checks',
  'arguments',
  'errors',
  'next_request',
  'simulator',
] as const

export type LoopPart = (typeof LOOP_PART_IDS)[number]

/** Returns a function that opens the drawer of tool calls at one of its parts. */
export function useOpenLoopPart(): (part: LoopPart) => void {
  const [, setOpen] = useOpenDrawer()
  const [, setPart] = useStoredChoice(STORAGE_KEYS.loopPart, LOOP_PART_IDS)
  return (part) => {
    setPart(part)
    setOpen('loop')
  }
}

/** Element id of the button that opens a drawer. */
export const openerId = (drawer: DrawerId): string => `${drawer}-opener`

/** Element id of a drawer below the panes. */
export const drawerId = (drawer: DrawerId): string => `${drawer}-drawer`

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
      writeStored(() => localStorage, key, choice === forgotten ? '' : (choice ?? ''))
      dispatchEvent(new Event(CHANGED))
    },
    [key, forgotten],
  )
  return [options.find((option) => option === text), set]
}

const choices = new Map<string, string>()

function storedText(key: string, forgotten: string | undefined): string {
  const stored = readStored(
    () => localStorage,
    key,
    (text) => (text === forgotten ? '' : text),
  )
  return choices.get(key) ?? stored ?? ''
}
