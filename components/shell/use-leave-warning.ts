'use client'

import { useEffect } from 'react'
import { usePlayground } from '../playground-context'

/** Asks before the page is left or reloaded with a transcript that is nowhere else. */
export function useLeaveWarning(): void {
  const { store } = usePlayground()
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { text, origin } = store.getState().source
      if (text.trim() !== '' && (origin.kind === 'typed' || origin.kind === 'paste')) {
        event.preventDefault()
      }
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [store])
}
