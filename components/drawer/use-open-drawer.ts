import { STORAGE_KEYS } from '@/lib/state/storage-keys'
import { useStoredChoice } from './use-stored-choice'

const DRAWERS = ['savings', 'results', 'loop'] as const

export type DrawerId = (typeof DRAWERS)[number]

/** The open drawer, stored between visits. Only one is open at a time. */
export function useOpenDrawer(): readonly [
  DrawerId | undefined,
  (drawer: DrawerId | undefined) => void,
] {
  return useStoredChoice(STORAGE_KEYS.drawer, DRAWERS)
}

/** Element id of the button that opens a drawer. */
export const openerId = (drawer: DrawerId): string => `${drawer}-opener`

/** Element id of a drawer below the panes. */
export const drawerId = (drawer: DrawerId): string => `${drawer}-drawer`
