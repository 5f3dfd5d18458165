'use client'

import { useTranslations } from 'use-intl'
import { loopReportOf } from '@/lib/state/loop'
import { usePlaygroundState } from '../../playground-context'

/** Where the conversation shown ran in circles, and what guards would have stopped. */
export function Circles() {
  const t = useTranslations('loop')
  const report = usePlaygroundState(loopReportOf)
  if (report === undefined) return null
  return <p>{t('repeats', { count: report.repeats.length })}</p>
}
