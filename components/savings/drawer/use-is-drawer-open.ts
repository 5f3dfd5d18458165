import { KEPT } from '@/lib/state/kept-keys'
import { useKeptFlag } from './use-kept-flag'

/** Of the element that opens and of the one it opens. */
export const OPENER_ID = 'savings-opener'
export const DRAWER_ID = 'savings-drawer'

/** Whether the drawer of savings is open, kept from visit to visit. */
export function useIsDrawerOpen(): readonly [boolean, (isOpen: boolean) => void] {
  return useKeptFlag(KEPT.drawerOpen)
}
