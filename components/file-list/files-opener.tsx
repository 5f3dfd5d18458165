import { DrawerOpener } from '../drawer/drawer-opener'
import { useFileListState, useView } from '../playground-context'

/** Opens the file list. Its label counts the files. */
export function FilesOpener() {
  const { t, format } = useView('fileList')
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
