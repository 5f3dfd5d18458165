'use client'

import { useEffect } from 'react'
import { isTyping } from '../shell/use-shortcuts'

/** The keys for the previous and the next conversation. */
type StepKeys = '[]' | '{}'

/** Calls `step` for the two keys, unless the focus is in a field or an editor. */
export function useStepKeys(
  isActive: boolean,
  step: (by: -1 | 1) => void,
  keys: StepKeys = '[]',
): void {
  useEffect(() => {
    if (!isActive) return
    const onKeyDown = (event: KeyboardEvent) => {
      // Browsers report AltGr, which types brackets on many keyboards, as Ctrl and Alt together.
      const isCommand = event.metaKey || event.ctrlKey !== event.altKey
      if (isTyping(event.target) || isCommand) return
      if (event.key === keys[0]) step(-1)
      if (event.key === keys[1]) step(1)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isActive, step, keys])
}
