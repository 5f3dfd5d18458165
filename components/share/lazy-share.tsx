import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import type { Opened } from './share-ways'

const Ways = loadWithTexts(async () => (await import('./share-ways')).ShareWays)

const DIALOGS = {
  export: loadWithTexts(async () => (await import('./export-dialog')).ExportDialog),
  transcript: loadWithTexts(async () => (await import('./transcript-dialog')).TranscriptDialog),
}

export const SHARE_BUTTON_ID = 'share'

/** Menu to share the figures, the settings and the policy. */
export function LazyShare() {
  const t = useTranslations('share')
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState<{ name: Opened; isOpen: boolean }>()
  const Dialog = opened && DIALOGS[opened.name]
  const open = (name: Opened) => {
    setOpen(false)
    setOpened({ name, isOpen: true })
  }
  return (
    <>
      <Popover
        title={t('button')}
        align="end"
        className="w-100"
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button id={SHARE_BUTTON_ID} ref={button} kind="primary">
            {t('button')}
          </Button>
        }
      >
        <Ways onDone={() => setOpen(false)} onOpen={open} />
      </Popover>
      {Dialog && (
        <Dialog
          isOpen={opened.isOpen}
          onOpenChange={(isNowOpen) => setOpened({ ...opened, isOpen: isNowOpen })}
          returnFocusTo={button}
        />
      )}
    </>
  )
}
