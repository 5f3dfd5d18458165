'use client'

import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { Button } from '../ui/button'
import type { PasteDialogProps } from './paste-dialog'

const Loaded = loadWithTexts<PasteDialogProps>(() =>
  import('./paste-dialog').then(({ PasteDialog }) => PasteDialog),
)

/** The button to paste; its dialog loads when it is first opened. */
export function LazyPasteDialog() {
  const t = useTranslations('shell')
  const button = useRef<HTMLButtonElement>(null)
  // Undefined before it is opened for the first time.
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('paste')}
      </Button>
      {isOpen !== undefined && (
        <Loaded isOpen={isOpen} onOpenChange={setOpen} returnFocusTo={button} />
      )}
    </>
  )
}
