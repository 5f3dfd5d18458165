'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import { SettingsLink } from './settings-link'

/** Ways to take the policy along: a link with the settings first. */
export function ShareButton() {
  const t = useTranslations('share')
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      title={t('title')}
      align="end"
      className="w-100"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={<Button kind="primary">{t('button')}</Button>}
    >
      <SettingsLink onCopied={() => setOpen(false)} />
    </Popover>
  )
}
