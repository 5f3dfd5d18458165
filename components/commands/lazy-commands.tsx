'use client'

import { useEffect, useState } from 'react'
import { isTyping } from '../is-typing'
import { loadWithTexts } from '../load-with-texts'
import { useAfterFigures } from '../use-after-figures'
import type { CommandDialogProps } from './command-dialog'

const load = () => import('./command-dialog').then(({ CommandDialog }) => CommandDialog)

const Loaded = loadWithTexts<CommandDialogProps>(load)

/** Opens the list of commands and keys with Ctrl+K or `?`. */
export function LazyCommands() {
  const [opened, setOpened] = useState<{ readonly times: number; readonly isOpen: boolean }>()
  const isAfter = useAfterFigures()
  // Loaded before it is asked for: what is typed right after Ctrl+K belongs to it.
  useEffect(() => {
    if (isAfter) void load().catch(() => undefined)
  }, [isAfter])
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
