'use client'

import { useRef } from 'react'
import { loadWithTexts } from '../load-with-texts'
import { usePlaygroundState } from '../playground-context'

const Dialog = loadWithTexts<object>(() =>
  import('./repair-dialog').then(({ RepairDialog }) => RepairDialog),
)

/** The dialog for broken arguments, loaded when it is first opened. */
export function LazyRepairDialog() {
  const isOpen = usePlaygroundState(({ isRepairOpen }) => isRepairOpen)
  const wasOpen = useRef(false)
  wasOpen.current ||= isOpen
  return wasOpen.current ? <Dialog /> : null
}
