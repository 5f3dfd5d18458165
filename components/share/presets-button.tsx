import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { Button } from '../ui/button'

const LazyPresets = loadWithTexts(async () => (await import('./presets-dialog')).PresetsDialog)

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
