'use client'

import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { sessionsOf } from '@/lib/state/costs/shown-session'
import { BottomDrawer } from '../drawer/bottom-drawer'
import { useOpenDrawer } from '../drawer/use-open-drawer'
import { useDeferredState, useFileList, useFileListState } from '../playground-context'
import { OpenButton } from '../shell/open-button'
import { useFileInput } from '../shell/use-file-input'
import { useIsNarrow } from '../shell/use-is-narrow'
import { Button } from '../ui/button'
import { FileListHeader } from './file-list-header'
import { FileListTable } from './file-list-table'
import { FleetPanel } from './fleet-panel'

/** The drawer with the file list. */
export function FileListDrawer() {
  const t = useTranslations('fileList')
  const isNarrow = useIsNarrow()
  const [, setDrawer] = useOpenDrawer()
  const isEmpty = useFileListState(({ files }) => files.length === 0)
  useOpenWithList()
  return (
    <BottomDrawer drawer="files" title={t('title')} closeLabel={t('close')} isFixed>
      {isEmpty ? (
        <Empty />
      ) : (
        <>
          <div className="pb-2 lg:pr-10">
            <FileListHeader />
          </div>
          <div className="min-h-0 flex-1 overflow-auto lg:-mx-6">
            <FleetPanel />
            <FileListTable {...(isNarrow && { onOpened: () => setDrawer(undefined) })} />
          </div>
        </>
      )}
    </BottomDrawer>
  )
}

function Empty() {
  const t = useTranslations('fileList')
  const shell = useTranslations('shell')
  const folder = useFileInput('folder')
  const { actions } = useFileList()
  const count = useDeferredState((state) => sessionsOf(state)?.length ?? 0)
  return (
    <>
      <p className="mb-3 max-w-prose text-soft">{t('empty')}</p>
      <div className="flex flex-wrap gap-2">
        {count > 1 && (
          <Button kind="primary" onClick={() => void actions.listDocument()}>
            {t('listDocument', { count })}
          </Button>
        )}
        <OpenButton kind="plain">{shell('openFiles')}</OpenButton>
        <Button onClick={folder.ask}>{shell('openFolder')}</Button>
        {folder.input}
      </div>
    </>
  )
}

/** Opens the drawer when a list opens, and closes it with the list. */
function useOpenWithList(): void {
  const { store, actions } = useFileList()
  const [drawer, setDrawer] = useOpenDrawer()
  useEffect(() => {
    return store.subscribe(({ isOpen }, before) => {
      if (isOpen === before.isOpen) return
      if (isOpen) setDrawer('files')
      else if (drawer === 'files') setDrawer(undefined)
    })
  }, [store, drawer, setDrawer])
  // Files can be listed before this is shown.
  useEffect(() => {
    if (store.getState().isOpen) setDrawer('files')
  }, [store, setDrawer])
  useEffect(() => actions.setOpen(drawer === 'files'), [actions, drawer])
}
