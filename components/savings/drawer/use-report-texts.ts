import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useFigureFormat } from '../../use-figure-format'
import type { ReportTexts } from './report/report-sentences'

/** The texts and figure formats of the page's language. */
export function useReportTexts(): ReportTexts {
  const t = useTranslations('report')
  const format = useFigureFormat()
  return useMemo(() => ({ t, format }), [t, format])
}
