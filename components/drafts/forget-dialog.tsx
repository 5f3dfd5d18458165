'use client'

import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { useDrafts, useDraftsState } from './drafts-context'

const ITEMS = ['transcripts', 'prices', 'page'] as const

/** Asks before all stored data is deleted. */
export function ForgetDialog() {
  const t = useTranslations('drafts')
  const drafts = useDrafts()
  const isOpen = useDraftsState(({ dialog }) => dialog === 'forget')
  return (
    <Dialog
      title={t('forgetTitle')}
      description={t('forgetWhat')}
      closeLabel={t('close')}
      isOpen={isOpen}
      onOpenChange={(open) => drafts.show(open ? 'forget' : undefined)}
      actions={
        <>
          <Button onClick={() => drafts.show(undefined)}>{t('cancel')}</Button>
          <Button kind="primary" onClick={() => void drafts.forgetEverything()}>
            {t('forgetDo')}
          </Button>
        </>
      }
    >
      <ul className="list-disc space-y-1 pl-5">
        {ITEMS.map((item) => (
          <li key={item}>{t(`forgetItems.${item}`)}</li>
        ))}
      </ul>
      <p className="mt-3 text-soft">{t('forgetTabs')}</p>
    </Dialog>
  )
}
