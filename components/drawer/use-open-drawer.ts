import { STORAGE_KEYS } from '@/lib/state/sync-stored'
import { useStoredChoice } from './use-stored-choice'

const DRAWERS = ['cost', 'results', 'loop', 'files'] as const

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
