'use client'

import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import type { TimelineSize } from '@/lib/state/timeline/timeline-layout'

const NO_SIZE: TimelineSize = { width: 0, height: 0, scale: 1 }

/** Size of an element in device pixels, so that drawings are crisp. */
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
      // Safari does not support this box.
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

/** The theme class, which changes with the colours. */
export function useThemeClass(): string {
  return useSyncExternalStore(
    subscribeToTheme,
    () => document.documentElement.className,
    () => '',
  )
}
