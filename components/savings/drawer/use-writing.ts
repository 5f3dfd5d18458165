import { useMemo } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Writing } from './report/report-sentences'
import { savingsFormat } from './savings-format'

/** The texts and number formats of the page's language. */
export function useWriting(): Writing {
  const t = useTranslations('report')
  const format = useFormatter()
  return useMemo(() => ({ t, format: savingsFormat(format) }), [t, format])
}
