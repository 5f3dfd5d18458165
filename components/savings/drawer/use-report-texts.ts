import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { useLateState } from '../../playground-context'
import { useFigureFormat } from '../../use-figure-format'
import type { ReportTexts } from './report/report-sentences'

/** The texts and figure formats of the page's language. */
export function useReportTexts(): ReportTexts {
  const t = useTranslations('report')
  const format = useFigureFormat()
  const rule = useLateState(knownRuleOf)
  return useMemo(() => ({ t, format, rule }), [t, format, rule])
}
