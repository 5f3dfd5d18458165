'use client'

import { ChevronLeft, ChevronRight, Files } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { openedFileOf, readableFilesOf } from '@/lib/state/library-rows'
import { useStepKeys } from '../conversations/use-step-keys'
import { useLibrary, useLibraryState, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'

/** Of the button, so that closing the list gives the focus back. */
export const LIBRARY_OPENER = 'library-opener'
export const LIBRARY_DRAWER = 'library-drawer'

/** Where the open file stands in the list, and the way to its neighbours; absent while there is no list. */
export function LibraryOpener() {
  const t = useTranslations('library')
  const { actions } = useLibrary()
  const library = useLibraryState((state) => state)
  const source = usePlaygroundState((state) => state.source)
  const { files, isOpen } = library
  useStepKeys(files.length > 0, actions.step, '{}')
  if (files.length === 0) return null
  const readable = readableFilesOf(library)
  const opened = openedFileOf(library, { source })
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
        id={LIBRARY_OPENER}
        kind="ghost"
        size="small"
        aria-expanded={isOpen}
        aria-controls={isOpen ? LIBRARY_DRAWER : undefined}
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
