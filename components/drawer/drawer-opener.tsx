'use client'

import { ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { isOutdated } from '@/lib/state/document/selectors'
import { usePlaygroundState } from '../playground-context'
import { useIsNarrow } from '../shell/use-is-narrow'
import { type DrawerId, drawerId, openerId, useOpenDrawer } from './use-open-drawer'

/** Opens or closes a drawer from the footer. Its label summarises the drawer, faded while it belongs to an older text. */
export function DrawerOpener({
  drawer,
  children,
}: {
  readonly drawer: DrawerId
  readonly children: ReactNode
}) {
  const isNarrow = useIsNarrow()
  const [open, setOpen] = useOpenDrawer()
  const isOpen = open === drawer
  const isOld = usePlaygroundState(isOutdated)
  return (
    <button
      id={openerId(drawer)}
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen && isNarrow === false ? drawerId(drawer) : undefined}
      onClick={() => setOpen(isOpen ? undefined : drawer)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) setOpen(undefined)
      }}
      className={`-my-1.5 flex shrink-0 max-lg:my-0 max-lg:min-h-7 cursor-pointer select-none items-center gap-1.5 border-t-2 py-1.5 pr-1 pointer-coarse:min-h-11 ${isOpen ? 'border-accent' : 'border-transparent hover:border-ghost forced-colors:border-[Canvas]'}`}
    >
      <span className={isOld && drawer !== 'files' ? 'faded' : ''}>{children}</span>
      <ChevronUp
        className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        aria-hidden
      />
    </button>
  )
}
