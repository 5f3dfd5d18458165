import { KEPT } from '@/lib/state/kept-keys'
import { useKeptChoice } from './use-kept-choice'

const DRAWERS = ['savings', 'loop'] as const

export type DrawerId = (typeof DRAWERS)[number]

/** Which drawer at the bottom of the page is open, kept from visit to visit; never two, they share a place. */
export function useOpenDrawer(): readonly [
  DrawerId | undefined,
  (drawer: DrawerId | undefined) => void,
] {
  return useKeptChoice(KEPT.drawer, DRAWERS)
}

/** Of the element that opens a drawer. */
export const openerId = (drawer: DrawerId): string => `${drawer}-opener`

/** Of the drawer itself, where it stands under the panes. */
export const drawerId = (drawer: DrawerId): string => `${drawer}-drawer`
