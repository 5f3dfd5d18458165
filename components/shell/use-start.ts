'use client'

import { useEffect, useRef } from 'react'
import { followSettings } from '@/lib/state/follow-address'
import { followLoopSettings } from '@/lib/state/loop-settings'
import { followOwnTerms } from '@/lib/state/own-terms'
import { followLink, startPlayground } from '@/lib/state/start'
import { useDrafts } from '../drafts/drafts-context'
import { usePlayground } from '../playground-context'
import { fetchText } from './fetch-text'

/** Starts the page once, then keeps the address and the settings in step. */
export function useStart(): void {
  const playground = usePlayground()
  const drafts = useDrafts()
  const hasStarted = useRef(false)
  useEffect(() => {
    const stopKeeping = followOwnTerms(playground.store, () => localStorage)
    const stopKeepingLoop = followLoopSettings(playground.store, () => localStorage)
    if (!hasStarted.current)
      void void startPlayground(playground, location.hash, fetchText, drafts.start)
    hasStarted.current = true
    keepAsOwn()
    const stop = followSettings(playground, {
      fragment: () => location.hash.slice(1),
      replace: (fragment) => {
        drafts.rememberAddress(fragment)
        history.replaceState(ownEntry(), '', addressOf(fragment))
      },
      push: (fragment) => {
        drafts.rememberAddress(fragment)
        history.pushState(ownEntry(), '', addressOf(fragment))
      },
    })
    const follow = () => {
      drafts.rememberAddress(location.hash)
      const isOwnEntry = Boolean(history.state?.isOfPlayground)
      keepAsOwn()
      void followLink(playground, location.hash, fetchText, isOwnEntry)
    }
    addEventListener('hashchange', follow)
    return () => {
      stop()
      stopKeeping()
      stopKeepingLoop()
      removeEventListener('hashchange', follow)
    }
  }, [playground, drafts])
}

/** Tells entries this page wrote from links that were opened over it. */
function ownEntry(): object {
  return { ...history.state, isOfPlayground: true }
}

/** Coming back to the entry that is shown, by the browser's buttons, is not opening its link anew. */
function keepAsOwn(): void {
  if (!history.state?.isOfPlayground) history.replaceState(ownEntry(), '', location.href)
}

function addressOf(fragment: string): string {
  const address = `${location.pathname}${location.search}`
  return fragment === '' ? address : `${address}#${fragment}`
}
