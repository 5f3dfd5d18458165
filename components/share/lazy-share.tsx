import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import type { Opened } from './share-ways'

const Ways = loadWithTexts(async () => (await import('./share-ways')).ShareWays)

const LazyExport = loadWithTexts(async () => (await import('./export-dialog')).ExportDialog)

const LazyTranscript = loadWithTexts(
  async () => (await import('./transcript-dialog')).TranscriptDialog,
)

export const SHARE_BUTTON_ID = 'share'

/** Menu to share the figures, the settings and the policy. */
export function LazyShare() {
  const t = useTranslations('share')
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState<{ readonly name: Opened; readonly isOpen: boolean }>()
  const propsOf = (name: Opened) => ({
    isOpen: opened?.name === name && opened.isOpen,
    onOpenChange: (isNowOpen: boolean) => setOpened({ name, isOpen: isNowOpen }),
    returnFocusTo: button,
  })
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
      {opened?.name === 'export' && <LazyExport {...propsOf('export')} />}
      {opened?.name === 'transcript' && <LazyTranscript {...propsOf('transcript')} />}
    </>
  )
}
