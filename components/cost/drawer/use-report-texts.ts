import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { useCoreTexts } from '../../language-provider'
import { useDeferredState } from '../../playground-context'
import { useFigureFormat } from '../../use-figure-format'
import type { ReportTexts } from './report/report-sentences'

/** The texts and figure formats of the page's language. */
export function useReportTexts(): ReportTexts {
  const t = useTranslations('report')
  const format = useFigureFormat()
  const rule = useDeferredState(knownRuleOf)
  const { phrases } = useCoreTexts()
  return useMemo(() => ({ t, format, phrases, rule }), [t, format, phrases, rule])
}
