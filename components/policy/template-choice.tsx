'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { TEMPLATES } from '@/lib/core/policy/placeholder'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { LazyTemplateDialog } from './lazy-template-dialog'

/** Says why the default is French, offers the English template, and opens the comparison of templates. */
export function TemplateChoice() {
  const t = useTranslations('policy.templates')
  const { actions } = usePlayground()
  const isDefault = usePlaygroundState(
    ({ policy }) => policy.placeholderTemplate === TEMPLATES.french.full,
  )
  const [isOpen, setOpen] = useState(false)
  // Mounted from the first opening on, so that it can animate when it closes.
  const [wasOpened, setWasOpened] = useState(false)
  const applyEnglish = () => {
    actions.endGesture()
    actions.changePolicy({ placeholderTemplate: TEMPLATES.english.full })
    actions.endGesture()
  }
  const open = () => {
    setWasOpened(true)
    setOpen(true)
  }
  return (
    <p className="mt-2 text-soft text-sm">
      {isDefault && (
        <>
          {t('isFrench')}{' '}
          <Button kind="link" onClick={applyEnglish}>
            {t('useEnglish')}
          </Button>
          {' · '}
        </>
      )}
      <Button kind="link" aria-haspopup="dialog" onClick={open}>
        {t('compare')}
      </Button>
      {wasOpened && <LazyTemplateDialog isOpen={isOpen} onOpenChange={setOpen} />}
    </p>
  )
}
