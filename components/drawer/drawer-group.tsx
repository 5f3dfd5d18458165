'use client'

import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { Group, Panel } from 'react-resizable-panels'
import { useIsSmall } from '../shell/use-is-narrow'
import { storeDrawerHeight } from './drawer-height'

export const DRAWER_PANEL = 'drawer'

const PANES_PANEL = 'above-drawer'
/** In pixels; less of the panes is of no use. */
const LEAST_HEIGHT = 80

/** True if the open drawer leaves no room for the panes. */
export function arePanesCovered(): boolean {
  const panes = document.getElementById(PANES_PANEL)
  return panes !== null && panes.offsetHeight < LEAST_HEIGHT
}

export interface DrawerGroupProps {
  readonly panes: ReactNode
  /** Drawers; an open one renders a separator and a panel. */
  readonly children: ReactNode
}

/** The panes with the open drawer below them, or over them in a small window. Stores the height of the drawer when the user changes it. */
export function DrawerGroup({ panes, children }: DrawerGroupProps) {
  const isSmall = useIsSmall()
  const [isCovered, setCovered] = useState(false)
  const group = useRef<HTMLDivElement>(null)
  return (
    <Group
      id="panes-and-drawer"
      orientation="vertical"
      className="min-h-0 flex-1"
      elementRef={group}
      onLayoutChanged={(layout, { isUserInteraction }) => {
        const share = layout[DRAWER_PANEL]
        if (!isUserInteraction || share === undefined || group.current === null) return
        storeDrawerHeight((share * group.current.offsetHeight) / innerHeight)
      }}
    >
      <Panel
        id={PANES_PANEL}
        minSize={isSmall ? 0 : '5rem'}
        onResize={({ inPixels }) => setCovered(inPixels < LEAST_HEIGHT)}
      >
        <div className="h-full" inert={isCovered}>
          {panes}
        </div>
      </Panel>
      {children}
    </Group>
  )
}
