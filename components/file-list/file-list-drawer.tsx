'use client'

import { X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useOpenDrawer } from '../drawer/use-open-drawer'
import { useFileList, useFileListState } from '../playground-context'
import { useIsNarrow } from '../shell/use-is-narrow'
import { IconButton } from '../ui/icon-button'
import { Sheet } from '../ui/sheet'
import { FileListHeader } from './file-list-header'
import { FILE_LIST_DRAWER, FILE_LIST_OPENER } from './file-list-opener'
import { FileListTable } from './file-list-table'
import { FleetPanel } from './fleet-panel'

/** The file list: below the panes, or a sheet on a narrow screen. */
export function FileListDrawer() {
  const t = useTranslations('fileList')
  const { actions } = useFileList()
  const isNarrow = useIsNarrow()
  const isOpen = useFileListState((state) => state.isOpen)
  useOneDrawerAtATime(isOpen, isNarrow === false)
  const hide = useCallback(() => actions.setOpen(false), [actions])
  const close = () => {
    actions.setOpen(false)
    document.getElementById(FILE_LIST_OPENER)?.focus()
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
        <div id={FILE_LIST_DRAWER} className="px-4 py-3">
          <FileListHeader />
          <FleetPanel />
          <FileListTable onOpened={hide} />
        </div>
      </Sheet>
    )
  }
  if (!isOpen || isNarrow === undefined) return null
  return (
    <section
      id={FILE_LIST_DRAWER}
      aria-label={t('title')}
      onKeyDown={onKeyDown}
      className="flex h-[50dvh] min-h-56 shrink-0 flex-col border-line border-t"
    >
      <div className="flex items-start gap-3 py-2 pr-3 pl-6">
        <FileListHeader />
        <IconButton label={t('close')} side="top" onClick={close}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        <FleetPanel />
        <FileListTable />
      </div>
    </section>
  )
}

/** Closes the other drawer when one opens, since two would leave no room for the panes. */
function useOneDrawerAtATime(isOpen: boolean, isWide: boolean): void {
  const { actions } = useFileList()
  const [drawer, setDrawer] = useOpenDrawer()
  useEffect(() => {
    if (isOpen && isWide) setDrawer(undefined)
  }, [isOpen, isWide, setDrawer])
  useEffect(() => {
    if (drawer !== undefined && isWide) actions.setOpen(false)
  }, [drawer, isWide, actions])
}
