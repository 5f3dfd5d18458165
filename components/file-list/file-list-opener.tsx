'use client'

import { ChevronLeft, ChevronRight, Files } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { openedFileOf, readableFilesOf } from '@/lib/state/files/file-list-rows'
import { useStepKeys } from '../conversations/use-step-keys'
import { useFileList, useFileListState, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'

/** Element id of the button, which gets the focus when the list closes. */
export const FILE_LIST_OPENER = 'file-list-opener'
export const FILE_LIST_DRAWER = 'file-list-drawer'

/** Position of the open file in the list, with buttons for the previous and next file. Renders nothing without a list. */
export function FileListOpener() {
  const t = useTranslations('fileList')
  const { actions } = useFileList()
  const fileList = useFileListState((state) => state)
  const source = usePlaygroundState((state) => state.source)
  const { files, isOpen } = fileList
  useStepKeys(files.length > 0, actions.step, '{}')
  if (files.length === 0) return null
  const readable = readableFilesOf(fileList)
  const opened = openedFileOf(fileList, { source })
  const at = readable.findIndex(({ id }) => id === opened?.id)
  const count = readable.length
  return (
    <div className="flex shrink-0 items-center">
      <IconButton
        label={t('previous')}
        tooltip={t('previousTip')}
        disabled={at <= 0}
        onClick={() => actions.step(-1)}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <Button
        id={FILE_LIST_OPENER}
        kind="ghost"
        size="small"
        aria-expanded={isOpen}
        aria-controls={isOpen ? FILE_LIST_DRAWER : undefined}
        aria-label={t('openerLabel', { position: at + 1, count: at === -1 ? files.length : count })}
        onClick={() => actions.setOpen(!isOpen)}
      >
        <Files aria-hidden className="size-3.5" />
        <span className="text-ink">
          {at === -1
            ? t('opener', { count: files.length })
            : t('openerAt', { position: at + 1, count })}
        </span>
      </Button>
      <IconButton
        label={t('next')}
        tooltip={t('nextTip')}
        disabled={count === 0 || at === count - 1}
        onClick={() => actions.step(1)}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  )
}
