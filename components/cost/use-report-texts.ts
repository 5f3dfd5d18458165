import { useMemo } from 'react'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { useWords } from '../language-provider'
import { useDeferredState, useView } from '../playground-context'
import type { ReportTexts } from './report/report-sentences'

/** The texts and figure formats of the page's language. */
export function useReportTexts(): ReportTexts {
  const { t, format } = useView('report')
  const rule = useDeferredState(knownRuleOf)
  const words = useWords()
  return useMemo(() => ({ t, format, words, rule }), [t, format, words, rule])
}
