'use client'

import { X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useOpenDrawer } from '../drawer/use-open-drawer'
import { useLibrary, useLibraryState } from '../playground-context'
import { useIsNarrow } from '../shell/use-is-narrow'
import { IconButton } from '../ui/icon-button'
import { Sheet } from '../ui/sheet'
import { LibraryHeader } from './library-header'
import { LIBRARY_DRAWER, LIBRARY_OPENER } from './library-opener'
import { LibraryTable } from './library-table'

/** The list of files, under the panes so that policy and file stay in sight; over everything on a narrow screen. */
export function LibraryDrawer() {
  const t = useTranslations('library')
  const { actions } = useLibrary()
  const isNarrow = useIsNarrow()
  const isOpen = useLibraryState((state) => state.isOpen)
  useOneDrawerAtATime(isOpen, isNarrow === false)
  const hide = useCallback(() => actions.setOpen(false), [actions])
  const close = () => {
    actions.setOpen(false)
    document.getElementById(LIBRARY_OPENER)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close()
  }
  if (isNarrow) {
    return (
      <Sheet
        title={t('title')}
        closeLabel={t('close')}
        isOpen={isOpen}
        onOpenChange={actions.setOpen}
      >
        <div id={LIBRARY_DRAWER} className="px-4 py-3">
          <LibraryHeader />
          <LibraryTable onOpened={hide} />
        </div>
      </Sheet>
    )
  }
  if (!isOpen || isNarrow === undefined) return null
  return (
    <section
      id={LIBRARY_DRAWER}
      aria-label={t('title')}
      onKeyDown={onKeyDown}
      className="flex h-[38dvh] min-h-56 shrink-0 flex-col border-line border-t"
    >
      <div className="flex items-start gap-3 py-2 pr-3 pl-6">
        <LibraryHeader />
        <IconButton label={t('close')} side="top" onClick={close}>
          <X aria-hidden />
        </IconButton>
      </div>
      <LibraryTable />
    </section>
  )
}

/** Two drawers at once would leave the panes no room. */
function useOneDrawerAtATime(isOpen: boolean, isWide: boolean): void {
  const { actions } = useLibrary()
  const [drawer, setDrawer] = useOpenDrawer()
  useEffect(() => {
    if (isOpen && isWide) setDrawer(undefined)
  }, [isOpen, isWide, setDrawer])
  useEffect(() => {
    if (drawer !== undefined && isWide) actions.setOpen(false)
  }, [drawer, isWide, actions])
}
