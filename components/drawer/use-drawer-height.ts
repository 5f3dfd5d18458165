import { useState } from 'react'
import { KEPT } from '@/lib/state/kept-keys'

/** In percent of the window's height. */
export const DRAWER_HEIGHT = { least: 20, most: 80, usual: 42 } as const

/** How high the drawer under the panes is, kept from visit to visit; held within its bounds. */
export function useDrawerHeight(): readonly [number, (percent: number) => void] {
  const [percent, setPercent] = useState(kept)
  const set = (next: number) => {
    const held = hold(next)
    setPercent(held)
    try {
      localStorage.setItem(KEPT.drawerHeight, String(held))
    } catch {
      // It lasts as long as the drawer is open.
    }
  }
  return [percent, set]
}

function kept(): number {
  try {
    const percent = Number.parseFloat(localStorage.getItem(KEPT.drawerHeight) ?? '')
    return Number.isFinite(percent) ? hold(percent) : DRAWER_HEIGHT.usual
  } catch {
    return DRAWER_HEIGHT.usual
  }
}

function hold(percent: number): number {
  const { least, most } = DRAWER_HEIGHT
  return Math.round(Math.min(most, Math.max(least, percent)) * 10) / 10
}
