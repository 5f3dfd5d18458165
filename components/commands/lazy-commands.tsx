import { useEffect, useRef, useState } from 'react'
import { loadWithTexts } from '../load-with-texts'
import { useAfterFigures } from '../playground-context'
import { isTyping } from '../shell/use-shortcuts'
import { useWindowEvents } from '../use-events'
import type { CommandDialogProps } from './command-dialog'

const load = () => import('./command-dialog').then(({ CommandDialog }) => CommandDialog)

const Loaded = loadWithTexts<CommandDialogProps>(load)

/** Slower code will not come. */
const LONGEST_WAIT_MS = 3_000

/** Opens the list of commands and keys with Ctrl+K or `?`. */
export function LazyCommands() {
  const [opened, setOpened] = useState<{ readonly times: number; readonly isOpen: boolean }>()
  // What is typed between Ctrl+K and the focus of the list's field belongs to that field, not to the page.
  const awaited = useRef<{ readonly since: number; typed: string }>(undefined)
  const takeTyped = () => {
    const typed = awaited.current?.typed ?? ''
    awaited.current = undefined
    return typed
  }
  const isAfter = useAfterFigures()
  useEffect(() => {
    if (isAfter) void load().catch(() => undefined)
  }, [isAfter])
  const keydown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    const waiting = awaited.current
    if (waiting && !isCommand && event.timeStamp - waiting.since < LONGEST_WAIT_MS) {
      if (event.key.length === 1) waiting.typed += event.key
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const isPalette = isCommand && !event.shiftKey && event.key.toLowerCase() === 'k'
    const isHelp = event.key === '?' && !isCommand && !isTyping(event.target)
    if (event.altKey || !(isPalette || isHelp)) return
    event.preventDefault()
    event.stopPropagation()
    awaited.current = { since: event.timeStamp, typed: '' }
    setOpened((before) => ({ times: (before?.times ?? 0) + 1, isOpen: true }))
  }
  // The editor uses Ctrl+K as the start of its own shortcuts.
  useWindowEvents({ keydown }, { isCapture: true })
  if (opened === undefined) return null
  return (
    <Loaded
      // Each opening reads the page's buttons again.
      key={opened.times}
      isOpen={opened.isOpen}
      takeTyped={takeTyped}
      onOpenChange={(isOpen) => setOpened({ ...opened, isOpen })}
    />
  )
}
