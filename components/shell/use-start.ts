'use client'

import { useEffect, useRef } from 'react'
import { followOwnTerms } from '@/lib/state/own-terms'
import { followSettings } from '@/lib/state/settings-url'
import { followLink, startPlayground } from '@/lib/state/start'
import { usePlayground } from '../playground-context'
import { fetchText } from './fetch-text'

/** Starts the page once, then keeps the address and the settings in step. */
export function useStart(): void {
  const playground = usePlayground()
  const hasStarted = useRef(false)
  useEffect(() => {
    const stopKeeping = followOwnTerms(playground.store, () => localStorage)
    if (!hasStarted.current) void startPlayground(playground, location.hash, fetchText)
    hasStarted.current = true
    const stop = followSettings(playground, (fragment) => {
      const address = `${location.pathname}${location.search}`
      history.replaceState(history.state, '', fragment === '' ? address : `${address}#${fragment}`)
    })
    const follow = () => void followLink(playground, location.hash, fetchText)
    addEventListener('hashchange', follow)
    return () => {
      stop()
      stopKeeping()
      removeEventListener('hashchange', follow)
    }
  }, [playground])
}
