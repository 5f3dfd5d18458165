import { useTranslations } from 'use-intl'
import { DrawerOpener } from '../drawer/drawer-opener'
import { useFileListState } from '../playground-context'
import { useFigureFormat } from '../use-figure-format'

/** Opens the file list. Its label counts the files. */
export function FilesOpener() {
  const t = useTranslations('fileList')
  const format = useFigureFormat()
  const count = useFileListState(({ files }) => files.length)
  return (
    <DrawerOpener drawer="files">
      <span className="sr-only">{count === 0 ? t('title') : t('listed', { count })}</span>
      <span aria-hidden className="flex gap-1.5">
        <span className="font-medium text-ink">{t('title')}</span>
        {count > 0 && <span>{format.number(count)}</span>}
      </span>
    </DrawerOpener>
  )
}
