'use client'

import { useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { fleetCsv, fleetReportOf, isReportReady } from '@/lib/state/files/fleet-report'
import { ReportButtons } from '../../cost/drawer/report-buttons'
import { useReportTexts } from '../../cost/drawer/use-report-texts'
import {
  useFileList,
  useFileListState,
  usePlayground,
  usePlaygroundState,
} from '../../playground-context'
import { today } from '../../today'
import { useFleetTexts } from '../fleet-texts'
import { writeFleetReport } from './write-fleet-report'

/** The buttons of the report on all sessions shown. */
export function FleetReportButtons() {
  const t = useTranslations('fleetReport')
  const fleet = useFleetTexts()
  const report = useReportTexts()
  const texts = useMemo(() => ({ t, fleet, report }), [t, fleet, report])
  const language = useLocale()
  const [hasNames, setHasNames] = useState(false)
  const { store: list } = useFileList()
  const { store } = usePlayground()
  const factsNow = () =>
    fleetReportOf(list.getState(), store.getState(), { day: today(), hasNames })
  const listed = useFileListState((state) => state)
  const isReady = usePlaygroundState((state) => isReportReady(listed, state))
  return (
    <ReportButtons
      pageOf={() => {
        const facts = factsNow()
        return facts && writeFleetReport(texts, facts, language)
      }}
      fileName={t('fileName')}
      chartName={t('chartName')}
      tables={[
        {
          label: t('more'),
          name: t('tableName'),
          write: () => {
            const facts = factsNow()
            return facts && fleetCsv(facts)
          },
        },
      ]}
      isReady={isReady}
      namesLabel={t('names')}
      hasNames={hasNames}
      onNames={setHasNames}
    />
  )
}
