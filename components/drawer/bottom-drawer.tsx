import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels'
import { useTranslations } from 'use-intl'
import type { Selection } from '@/lib/state/document/document-slice'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { readStored, STORAGE_KEYS, writeStored } from '@/lib/state/sync-stored'
import { OlderTextNote, useIsOlder } from '../panes/older-text'
import { usePlayground } from '../playground-context'
import { useIsNarrow, useIsSmall } from '../shell/use-is-narrow'
import { Sheet } from '../ui/dialog'
import { IconButton } from '../ui/icon-button'
import { type DrawerId, drawerId, openerId, useOpenDrawer } from './use-open-drawer'

/** A drawer: a panel of `DrawerGroup` below the panes, or a sheet over the page on a narrow screen. */
export function BottomDrawer(props: {
  readonly drawer: DrawerId
  readonly title: string
  readonly closeLabel: string
  readonly children: ReactNode
  /** The content scrolls by itself, so that parts of it stay in view. Ignored in a sheet. */
  readonly isFixed?: boolean
}) {
  const t = useTranslations('shell')
  const { drawer, title, closeLabel, children, isFixed = false } = props
  const isNarrow = useIsNarrow()
  const isSmall = useIsSmall()
  const [open, setOpen] = useOpenDrawer()
  const isOpen = open === drawer
  const panel = usePanelRef()
  // The files are not those of the text.
  const isOlder = useIsOlder() && drawer !== 'files'
  const close = () => {
    setOpen(undefined)
    document.getElementById(openerId(drawer))?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A menu opened from the drawer is elsewhere in the DOM and handles its own Escape.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key === 'Escape' && isInside && !event.defaultPrevented) close()
  }
  if (isNarrow) {
    return (
      <Sheet
        title={title}
        closeLabel={closeLabel}
        isOpen={isOpen}
        onOpenChange={(next) => setOpen(next ? drawer : undefined)}
      >
        {isOlder && <OlderTextNote />}
        <div className={`px-5 py-4 ${isOlder ? 'faded' : ''}`}>{children}</div>
      </Sheet>
    )
  }
  if (!isOpen || isNarrow === undefined) return null
  const usualHeight = isSmall ? DRAWER_HEIGHT.maximum : DRAWER_HEIGHT.default
  const resetHeight = () => {
    panel.current?.resize(`${usualHeight}vh`)
    storeDrawerHeight(usualHeight)
  }
  return (
    <>
      <Separator
        aria-label={t('drawerEdge')}
        disableDoubleClick
        onDoubleClick={resetHeight}
        className="relative h-px bg-line transition-colors before:-top-1 before:absolute before:inset-x-0 before:z-20 before:h-2 hover:bg-ghost focus-visible:bg-accent"
      />
      <Panel
        id={DRAWER_PANEL}
        panelRef={panel}
        defaultSize={`${storedDrawerHeight() ?? usualHeight}vh`}
        minSize={`${DRAWER_HEIGHT.minimum}vh`}
        maxSize={`${DRAWER_HEIGHT.maximum}vh`}
      >
        <section
          id={drawerId(drawer)}
          aria-label={title}
          onKeyDown={onKeyDown}
          // What scrolls inside can have parts that are placed outside its own box.
          className="relative flex h-full flex-col overflow-clip"
        >
          <div className="absolute top-2.5 right-3 z-10 rounded-md bg-paper">
            <IconButton label={closeLabel} side="top" onClick={close} icon={X} />
          </div>
          {isOlder && (
            <div className="pr-12">
              <OlderTextNote />
            </div>
          )}
          {/* What scrolls leaves room for the button. */}
          <div
            className={`min-h-0 flex-1 pt-4 pl-6 ${isFixed ? 'flex flex-col pr-6' : 'overflow-y-auto pr-12 pb-6'} ${isOlder ? 'faded' : ''}`}
          >
            {children}
          </div>
        </section>
      </Panel>
    </>
  )
}

const DRAWER_PANEL = 'drawer'

const PANES_PANEL = 'above-drawer'
/** In pixels; less of the panes is of no use. */
const LEAST_HEIGHT = 80

/** True if the open drawer leaves no room for the panes. */
export function arePanesCovered(): boolean {
  const panes = document.getElementById(PANES_PANEL)
  return panes !== null && panes.offsetHeight < LEAST_HEIGHT
}

/** The panes with the open drawer below them, or over them in a small window. Stores the height of the drawer when the user changes it. */
export function DrawerGroup(props: {
  readonly panes: ReactNode
  /** Drawers; an open one renders a separator and a panel. */
  readonly children: ReactNode
}) {
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
          {props.panes}
        </div>
      </Panel>
      {props.children}
    </Group>
  )
}

/** In percent of the window's height. */
const DRAWER_HEIGHT = { minimum: 20, maximum: 80, default: 42 } as const

/** The stored height in percent of the window's height; undefined if there is none. */
function storedDrawerHeight(): number | undefined {
  const text = readStored(() => localStorage, STORAGE_KEYS.drawerHeight, String)
  const percent = Number.parseFloat(text)
  return Number.isFinite(percent) ? clamp(percent) : undefined
}

/** Stores a height in percent of the window's height. */
function storeDrawerHeight(percent: number): void {
  writeStored(() => localStorage, STORAGE_KEYS.drawerHeight, String(clamp(percent)))
}

function clamp(percent: number): number {
  const { minimum, maximum } = DRAWER_HEIGHT
  return Math.round(Math.min(maximum, Math.max(minimum, percent)) * 10) / 10
}

/** Selects a message in the panes and on the timeline. Shows the messages where no text stands beside what was pressed. */
export function useJump(): (message: number, result?: number, by?: Selection['by']) => void {
  const { actions, store } = usePlayground()
  const isNarrow = useIsNarrow()
  const [, setOpen] = useOpenDrawer()
  return (message, result, by = 'page') => {
    if (isNarrow || arePanesCovered()) setOpen(undefined)
    if (isNarrow || isTooLargeToEdit(store.getState())) actions.setView('messages')
    actions.select(message, result, by)
  }
}

/** What a drawer found in the transcript, as its first line. */
export function DrawerSentence({ children }: { readonly children: ReactNode }) {
  return <p className="mb-2.5 max-w-[100ch] shrink-0 font-medium lg:pr-10">{children}</p>
}
