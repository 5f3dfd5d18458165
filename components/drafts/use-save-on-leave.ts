'use client'

import { useEffect } from 'react'
import { usePlayground } from '../playground-context'
import { useDrafts } from './drafts-context'

/** Saves the newest state when the page is hidden or left. Asks before leaving if a text is not stored. */
export function useSaveOnLeave(): void {
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
      const { saving } = drafts.store.getState()
      const isUnsaved = saving === 'pending' || saving === 'failed'
      if (!isUnsaved || !isNowhereElse || text.trim() === '') return
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
