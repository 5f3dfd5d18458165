'use client'

import dynamic from 'next/dynamic'
import { useRef } from 'react'
import { usePlaygroundState } from '../playground-context'

const Dialog = dynamic(() => import('./repair-dialog').then(({ RepairDialog }) => RepairDialog), {
  ssr: false,
})

/** The dialog for broken arguments, loaded when it is first opened. */
export function LazyRepairDialog() {
  const isOpen = usePlaygroundState(({ isRepairOpen }) => isRepairOpen)
  const wasOpen = useRef(false)
  wasOpen.current ||= isOpen
  return wasOpen.current ? <Dialog /> : null
}
