'use client'

import { useEffect } from 'react'

const TYPING = 'input, textarea, select, [contenteditable], .monaco-editor, [role="textbox"]'

/** `[` and `]` step back and forth wherever the focus is in no field or editor. */
export function useStepKeys(isActive: boolean, step: (by: -1 | 1) => void): void {
  useEffect(() => {
    if (!isActive) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null
      // AltGr, which types brackets on many keyboards, counts as Ctrl and Alt together.
      const isCommand = event.metaKey || event.ctrlKey !== event.altKey
      if (isTyping || isCommand) return
      if (event.key === '[') step(-1)
      if (event.key === ']') step(1)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isActive, step])
}
