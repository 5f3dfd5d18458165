import { STORAGE_KEYS } from '@/lib/state/sync-stored'

/** In percent of the window's height. */
export const DRAWER_HEIGHT = { minimum: 20, maximum: 80, default: 42 } as const

/** The stored height in percent of the window's height; undefined if there is none. */
export function storedDrawerHeight(): number | undefined {
  try {
    const percent = Number.parseFloat(localStorage.getItem(STORAGE_KEYS.drawerHeight) ?? '')
    return Number.isFinite(percent) ? clamp(percent) : undefined
  } catch {
    return undefined
  }
}

/** Stores a height in percent of the window's height. */
export function storeDrawerHeight(percent: number): void {
  try {
    localStorage.setItem(STORAGE_KEYS.drawerHeight, String(clamp(percent)))
  } catch {
    // The height lasts as long as the page.
  }
}

function clamp(percent: number): number {
  const { minimum, maximum } = DRAWER_HEIGHT
  return Math.round(Math.min(maximum, Math.max(minimum, percent)) * 10) / 10
}
