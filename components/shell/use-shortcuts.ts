'use client'

import { useEffect } from 'react'
import { PASTED_NAME } from '@/lib/state/document/document-slice'
import { useDrafts } from '../drafts/drafts-context'
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

const TEXT_FIELDS =
  'input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable], .monaco-editor, [role="textbox"]'

/** True if a key press or paste is for a field or an editor. Sliders and switches take no text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT_FIELDS) !== null
}
