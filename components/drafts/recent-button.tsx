'use client'

import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import { useDrafts } from './drafts-context'

/** Opens the list of transcripts kept in this browser. */
export function RecentButton() {
  const t = useTranslations('drafts')
  const drafts = useDrafts()
  return (
    <Button kind="ghost" title={t('recentTip')} onClick={() => drafts.show('recent')}>
      {t('recent')}
    </Button>
  )
}
