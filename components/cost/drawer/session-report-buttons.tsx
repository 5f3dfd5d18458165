'use client'

import { useLocale, useTranslations } from 'use-intl'
import { alternativesCsv, requestsCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { usePlayground } from '../../playground-context'
import { copyFigures, figuresUrl } from '../../share/figures-url'
import { writeReport } from './report/write-report'
import { ReportButtons } from './report-buttons'
import { useReportTexts } from './use-report-texts'

export interface SessionReportButtonsProps {
  /** Creates the report when called; undefined while values are still computed. */
  readonly factsOf: () => ReportFacts | undefined
  readonly isReady: boolean
  readonly hasNames: boolean
  readonly onNames: (hasNames: boolean) => void
}

/** The buttons of the report on the session shown. */
export function SessionReportButtons({ factsOf, ...props }: SessionReportButtonsProps) {
  const t = useTranslations('drawer.report')
  const { store, actions } = usePlayground()
  const texts = useReportTexts()
  const language = useLocale()
  const withFacts =
    <Given,>(give: (facts: ReportFacts) => Given) =>
    () => {
      const facts = factsOf()
      return facts && give(facts)
    }
  return (
    <ReportButtons
      {...props}
      pageOf={withFacts((facts) => writeReport(texts, facts, language))}
      fileName={t('fileName')}
      chartName={t('chartName')}
      namesLabel={t('names')}
      tables={[
        { label: t('requestsCsv'), name: t('requestsName'), write: withFacts(requestsCsv) },
        {
          label: t('alternativesCsv'),
          name: t('strategiesName'),
          write: withFacts(({ alternatives }) => alternativesCsv(alternatives)),
        },
      ]}
      more={{
        label: t('figuresLink'),
        onSelect: withFacts((facts) => {
          void copyFigures(actions, figuresUrl(store.getState(), facts), props.hasNames)
        }),
      }}
    />
  )
}
