'use client'

import { useEffect } from 'react'
import { isTyping } from '../is-typing'

/** A key to step back by, and one to step forth. */
type StepKeys = '[]' | '{}'

/** Two keys step back and forth wherever the focus is in no field or editor. */
export function useStepKeys(
  isActive: boolean,
  step: (by: -1 | 1) => void,
  keys: StepKeys = '[]',
): void {
  useEffect(() => {
    if (!isActive) return
    const onKeyDown = (event: KeyboardEvent) => {
      // AltGr, which types brackets on many keyboards, counts as Ctrl and Alt together.
      const isCommand = event.metaKey || event.ctrlKey !== event.altKey
      if (isTyping(event.target) || isCommand) return
      if (event.key === keys[0]) step(-1)
      if (event.key === keys[1]) step(1)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isActive, step, keys])
}
