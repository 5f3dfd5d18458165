'use client'

import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import type { TimelineSize } from '@/lib/state/timeline-layout'

const NO_SIZE: TimelineSize = { width: 0, height: 0, scale: 1 }

/** The size of an element in whole pixels of the device, so that what is drawn in it is crisp. */
export function useDeviceSize(element: RefObject<HTMLElement | null>): TimelineSize {
  const [size, setSize] = useState(NO_SIZE)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const scale = window.devicePixelRatio
      const exact = entry.devicePixelContentBoxSize?.[0]
      setSize({
        width: exact?.inlineSize ?? Math.round(entry.contentRect.width * scale),
        height: exact?.blockSize ?? Math.round(entry.contentRect.height * scale),
        scale,
      })
    })
    try {
      observer.observe(current, { box: 'device-pixel-content-box' })
    } catch {
      // Safari does not know this box.
      observer.observe(current)
    }
    return () => observer.disconnect()
  }, [element])
  return size
}

function subscribeToTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['class'] })
  return () => observer.disconnect()
}

/** The class that sets the theme: changes whenever the colours do. */
export function useThemeClass(): string {
  return useSyncExternalStore(
    subscribeToTheme,
    () => document.documentElement.className,
    () => '',
  )
}
