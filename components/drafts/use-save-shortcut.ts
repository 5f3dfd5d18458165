'use client'

import { useEffect } from 'react'
import { useDrafts } from './drafts-context'

/** Makes Ctrl+S save the session instead of the page. */
export function useSaveShortcut(): void {
  const drafts = useDrafts()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's'
      if (!isSave || event.altKey || event.shiftKey) return
      event.preventDefault()
      drafts.show('save')
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [drafts])
}
