'use client'

import { useEffect, useState } from 'react'
import { isTyping } from '../is-typing'
import { loadWithTexts } from '../load-with-texts'
import type { CommandDialogProps } from './command-dialog'

const Loaded = loadWithTexts<CommandDialogProps>(() =>
  import('./command-dialog').then(({ CommandDialog }) => CommandDialog),
)

/** Opens the list of commands and keys with Ctrl+K or `?`. */
export function LazyCommands() {
  const [opened, setOpened] = useState<{ readonly times: number; readonly isOpen: boolean }>()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey
      const isPalette = isCommand && !event.shiftKey && event.key.toLowerCase() === 'k'
      const isHelp = event.key === '?' && !isCommand && !isTyping(event.target)
      if (event.altKey || !(isPalette || isHelp)) return
      event.preventDefault()
      event.stopPropagation()
      setOpened((before) => ({ times: (before?.times ?? 0) + 1, isOpen: true }))
    }
    // The editor uses Ctrl+K as the start of its own shortcuts.
    const isCapture = true
    addEventListener('keydown', onKeyDown, isCapture)
    return () => removeEventListener('keydown', onKeyDown, isCapture)
  }, [])
  if (opened === undefined) return null
  return (
    <Loaded
      // Each opening reads the page's buttons again.
      key={opened.times}
      isOpen={opened.isOpen}
      onOpenChange={(isOpen) => setOpened({ ...opened, isOpen })}
    />
  )
}
