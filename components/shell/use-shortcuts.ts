'use client'

import { useEffect } from 'react'
import { PASTED_NAME } from '@/lib/state/document/document-slice'
import { isTyping } from '../is-typing'
import { usePlayground } from '../playground-context'

/** Handles undo, redo and paste for the page, unless the focus is in a field or an editor. */
export function useShortcuts(): void {
  const { actions } = usePlayground()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      const isRedo = (key === 'z' && event.shiftKey) || key === 'y'
      if (!isRedo && key !== 'z') return
      event.preventDefault()
      if (isRedo) actions.redo()
      else actions.undo()
    }
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain')
      if (text === undefined || text.trim() === '' || isTyping(event.target)) return
      event.preventDefault()
      actions.openText(text, PASTED_NAME, { kind: 'paste' })
    }
    addEventListener('keydown', onKeyDown)
    addEventListener('paste', onPaste)
    return () => {
      removeEventListener('keydown', onKeyDown)
      removeEventListener('paste', onPaste)
    }
  }, [actions])
}
