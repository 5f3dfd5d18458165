import { ChevronLeft, ChevronRight } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { openedFileOf, readableFilesOf } from '@/lib/state/files/file-list-rows'
import { useFileList, useFileListState, usePlaygroundState, useView } from '../playground-context'
import { useGoTo } from '../shell/page-link'
import { useStepKeys } from '../shell/use-shortcuts'
import { IconButton } from '../ui/tooltip'

/** Position of the open file in the list, with buttons for the previous and next file. Renders nothing without another file. */
export function FileStepper() {
  const { t } = useView('fileList')
  const { actions } = useFileList()
  const fileList = useFileListState((state) => state)
  const source = usePlaygroundState((state) => state.source)
  const opened = openedFileOf(fileList, { source })
  const hasOthers = fileList.files.some(({ id }) => id !== opened?.id)
  useStepKeys('{}', hasOthers, actions.step)
  if (!hasOthers) return null
  const readable = readableFilesOf(fileList)
  const at = readable.findIndex(({ id }) => id === opened?.id)
  const count = readable.length
  return (
    <div className="flex shrink-0 items-center">
      <IconButton
        label={t('previous')}
        tooltip={t('previousTip')}
        disabled={at <= 0}
        onClick={() => actions.step(-1)}
        icon={ChevronLeft}
      />
      {at !== -1 && (
        <span className="px-1 text-soft text-sm">
          <span className="sr-only">{t('atLabel', { position: at + 1, count })}</span>
          <span aria-hidden>{t('at', { position: at + 1, count })}</span>
        </span>
      )}
      <IconButton
        label={t('next')}
        tooltip={t('nextTip')}
        disabled={count === 0 || at === count - 1}
        onClick={() => actions.step(1)}
        icon={ChevronRight}
      />
    </div>
  )
}

/** Goes to the page of the list when files are listed, and back when the only transcript among them opens. */
export function useFilesPage(): void {
  const { actions, store } = useFileList()
  const go = useGoTo()
  const isHere = usePathname() === '/files'
  useEffect(() => actions.setOpen(isHere), [actions, isHere])
  const follow = useEffectEvent((isOpen: boolean) => {
    if (isOpen !== isHere) go(isOpen ? '/files' : '/')
  })
  useEffect(
    () =>
      store.subscribe(({ isOpen }, before) => {
        if (isOpen !== before.isOpen) follow(isOpen)
      }),
    [store],
  )
}
