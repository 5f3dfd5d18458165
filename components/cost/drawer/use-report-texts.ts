import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { useWords } from '../../language-provider'
import { useDeferredState } from '../../playground-context'
import { useFigureFormat } from '../../use-figure-format'
import type { ReportTexts } from './report/report-sentences'

/** The texts and figure formats of the page's language. */
export function useReportTexts(): ReportTexts {
  const t = useTranslations('report')
  const format = useFigureFormat()
  const rule = useDeferredState(knownRuleOf)
  const words = useWords()
  return useMemo(() => ({ t, format, words, rule }), [t, format, words, rule])
}
