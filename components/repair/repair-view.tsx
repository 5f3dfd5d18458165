'use client'

import dynamic from 'next/dynamic'
import { useRef } from 'react'
import { usePlaygroundState } from '../playground-context'

const LazyDialog = dynamic(
  () => import('./repair-dialog').then(({ RepairDialog }) => RepairDialog),
  {
    ssr: false,
  },
)

/** The arguments' dialog; its code comes with the first opening. */
export function RepairView() {
  const isOpen = usePlaygroundState(({ isRepairOpen }) => isRepairOpen)
  const wasOpen = useRef(false)
  wasOpen.current ||= isOpen
  return wasOpen.current ? <LazyDialog /> : null
}
