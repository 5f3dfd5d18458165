'use client'

import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useIsNarrow } from '../shell/use-is-narrow'
import { IconButton } from '../ui/icon-button'
import { Sheet } from '../ui/sheet'
import { DrawerEdge } from './drawer-edge'
import { useDrawerHeight } from './use-drawer-height'
import { type DrawerId, drawerId, openerId, useOpenDrawer } from './use-open-drawer'

export interface BottomDrawerProps {
  readonly drawer: DrawerId
  readonly title: string
  readonly closeLabel: string
  readonly children: ReactNode
  /** Its content scrolls itself, so that parts of it stay in sight; under the panes only. */
  readonly isFixed?: boolean
}

/** A drawer under the panes when it is open; a sheet over everything on a narrow screen. */
export function BottomDrawer(props: BottomDrawerProps) {
  const { drawer, title, closeLabel, children, isFixed = false } = props
  const isNarrow = useIsNarrow()
  const [open, setOpen] = useOpenDrawer()
  const isOpen = open === drawer
  const [height, setHeight] = useDrawerHeight()
  const close = () => {
    setOpen(undefined)
    document.getElementById(openerId(drawer))?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A menu opened here stands elsewhere in the page; its Escape is its own.
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key === 'Escape' && isOwn && !event.defaultPrevented) close()
  }
  if (isNarrow) {
    return (
      <Sheet
        title={title}
        closeLabel={closeLabel}
        isOpen={isOpen}
        onOpenChange={(next) => setOpen(next ? drawer : undefined)}
      >
        <div className="px-5 py-4">{children}</div>
      </Sheet>
    )
  }
  if (!isOpen || isNarrow === undefined) return null
  return (
    <section
      id={drawerId(drawer)}
      aria-label={title}
      onKeyDown={onKeyDown}
      className="relative max-h-[calc(100%-5rem)] shrink-0 border-line border-t"
      style={{ height: `${height}dvh` }}
    >
      <DrawerEdge height={height} onHeight={setHeight} />
      <div className="absolute top-2.5 right-3 z-10 rounded-md bg-paper">
        <IconButton label={closeLabel} side="top" onClick={close}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className={`h-full px-6 pt-4 ${isFixed ? 'flex flex-col' : 'overflow-y-auto pb-6'}`}>
        {children}
      </div>
    </section>
  )
}
