'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import type { PresetsDialogProps } from './presets-dialog'

const LazyPresets = dynamic<PresetsDialogProps>(
  () => import('./presets-dialog').then(({ PresetsDialog }) => PresetsDialog),
  { ssr: false },
)

/** Opens the presets, which load on first use. */
export function PresetsButton() {
  const t = useTranslations('share.presets')
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Button kind="ghost" size="small" onClick={() => setOpen(true)}>
        {t('button')}
      </Button>
      {isOpen !== undefined && <LazyPresets isOpen={isOpen} onOpenChange={setOpen} />}
    </>
  )
}
