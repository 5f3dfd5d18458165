'use client'

import type { KeyboardEvent, PointerEvent } from 'react'
import { useTranslations } from 'use-intl'
import { DRAWER_HEIGHT } from './use-drawer-height'

export interface DrawerEdgeProps {
  /** In percent of the window's height. */
  readonly height: number
  readonly onHeight: (percent: number) => void
}

const STEP = 5

/** The upper edge of the drawer under the panes: dragged, or moved by arrow keys, it shares the room anew. */
export function DrawerEdge({ height, onHeight }: DrawerEdgeProps) {
  const t = useTranslations('shell')
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = ({
    buttons,
    clientY,
    movementY,
    currentTarget,
  }: PointerEvent<HTMLElement>) => {
    if (buttons !== 1 || movementY === 0) return
    const bottom = currentTarget.parentElement?.getBoundingClientRect().bottom ?? innerHeight
    onHeight(((bottom - clientY) / innerHeight) * 100)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(event.key, height)
    if (next === undefined) return
    event.preventDefault()
    onHeight(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('drawerEdge')}
      aria-valuenow={Math.round(height)}
      aria-valuemin={DRAWER_HEIGHT.least}
      aria-valuemax={DRAWER_HEIGHT.most}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onHeight(DRAWER_HEIGHT.usual)}
      onKeyDown={onKeyDown}
      className="-top-1 absolute inset-x-0 z-20 h-2 cursor-row-resize touch-none outline-none before:absolute before:inset-x-0 before:top-[3px] before:h-px before:transition-colors hover:before:bg-ghost focus-visible:before:h-0.5 focus-visible:before:bg-accent"
    />
  )
}

function afterKey(key: string, height: number): number | undefined {
  switch (key) {
    case 'ArrowUp':
      return height + STEP
    case 'ArrowDown':
      return height - STEP
    case 'Home':
      return DRAWER_HEIGHT.least
    case 'End':
      return DRAWER_HEIGHT.most
    default:
      return undefined
  }
}
