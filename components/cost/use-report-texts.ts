import { useMemo } from 'react'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { triedLabelOf } from '@/lib/state/costs/tried-mechanism'
import { useWords } from '../language-provider'
import { useDeferredState, useView } from '../playground-context'
import { type ReportTexts, textsBy } from './report/report-sentences'

/** The texts and figure formats of the page's language. */
export function useReportTexts(): ReportTexts {
  const { t, format } = useView('report')
  const rule = useDeferredState(knownRuleOf)
  const words = useWords()
  const label = useDeferredState(triedLabelOf)
  return useMemo(() => textsBy({ t, format, words, rule }, label), [t, format, words, rule, label])
}
