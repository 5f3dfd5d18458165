'use client'

import { useEffect } from 'react'
import { usePlayground } from '../playground-context'
import { useDrafts } from './drafts-context'

/** Keeps the newest state when the page is hidden or left; asks first where a text is kept nowhere yet. */
export function useKeepOnLeave(): void {
  const { store } = usePlayground()
  const drafts = useDrafts()
  useEffect(() => {
    const keep = () => void drafts.flush()
    const keepHidden = () => {
      if (document.visibilityState === 'hidden') keep()
    }
    const warn = (event: BeforeUnloadEvent) => {
      const { text, origin } = store.getState().source
      const isNowhereElse = origin.kind !== 'sample' && origin.kind !== 'file'
      const { keeping } = drafts.store.getState()
      const isUnkept = keeping === 'pending' || keeping === 'failed'
      if (!isUnkept || !isNowhereElse || text.trim() === '') return
      keep()
      event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    addEventListener('pagehide', keep)
    document.addEventListener('visibilitychange', keepHidden)
    return () => {
      removeEventListener('beforeunload', warn)
      removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', keepHidden)
    }
  }, [store, drafts])
}
