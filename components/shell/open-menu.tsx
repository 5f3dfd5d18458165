'use client'

import { ChevronDown, FilePlus2, FolderOpen } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import { Menu, MenuItem } from '../ui/menu'
import { OpenButton } from './open-button'
import { useFileInput } from './use-file-input'

/** A button that opens files, with a menu to open a folder. */
export function OpenMenu() {
  const t = useTranslations('shell')
  const files = useFileInput('files')
  const folder = useFileInput('folder')
  return (
    <div className="flex">
      <OpenButton kind="plain" title={t('openTip')} className="rounded-r-none">
        {t('open')}
      </OpenButton>
      <Menu
        align="end"
        className="w-80"
        trigger={
          <Button
            aria-label={t('openMore')}
            className="-ml-px w-7 rounded-l-none px-0! pointer-coarse:w-9"
          >
            <ChevronDown className="size-3.5" aria-hidden />
          </Button>
        }
      >
        <MenuItem
          icon={<FilePlus2 aria-hidden />}
          description={t('openFilesNote')}
          onSelect={files.ask}
        >
          {t('openFiles')}
        </MenuItem>
        <MenuItem
          icon={<FolderOpen aria-hidden />}
          description={t('openFolderNote')}
          onSelect={folder.ask}
        >
          {t('openFolder')}
        </MenuItem>
      </Menu>
      {files.input}
      {folder.input}
    </div>
  )
}
