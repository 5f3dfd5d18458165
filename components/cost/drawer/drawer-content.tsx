'use client'

import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { DEFAULT_SUMMARIES } from '@/lib/core/replay/alternatives/summarise-session'
import { HEAD_OUTCOME_SELECTORS } from '@/lib/state/costs/charged-session'
import { reportFactsOf, reportSteps } from '@/lib/state/costs/session-report'
import { isCurrent } from '@/lib/state/document/selectors'
import {
  conversationKeyOf,
  useComputedState,
  useDeferredState,
  usePlayground,
  useShownOf,
} from '../../playground-context'
import { today } from '../../today'
import { AlternativesView } from './alternatives-view'
import { ChargedPanel } from './charged/charged-panel'
import { UnseenHead } from './charged/unseen-head'
import { RequestTable } from './request-table'
import { SessionCharts } from './session-charts'
import { SessionReportButtons } from './session-report-buttons'
import { SessionHeadline, SessionSentences } from './session-sentences'

/** Summary, charts, alternatives and report of the session. */
export function DrawerContent() {
  const t = useTranslations('drawer')
  const { store } = usePlayground()
  const [summaryTokens, setSummaryTokens] = useState(DEFAULT_SUMMARIES.summaryTokens)
  const [hasNames, setHasNames] = useState(false)
  const hasDocument = useDeferredState(({ read }) => read !== undefined)
  const steps = useMemo(
    () => [...reportSteps(summaryTokens), ...HEAD_OUTCOME_SELECTORS],
    [summaryTokens],
  )
  const now = useDeferredState((whole) => whole)
  const state = useComputedState(steps)
  const current = useMemo(
    () => state && reportFactsOf(state, { day: '', hasNames: false, summaryTokens }),
    [state, summaryTokens],
  )
  const { shown: facts } = useShownOf(current, state && conversationKeyOf(state))
  const factsNow = () => {
    const now = store.getState()
    return isCurrent(now)
      ? reportFactsOf(now, { day: today(), hasNames, summaryTokens })
      : undefined
  }

  if (facts === undefined)
    return <p className="text-soft">{t(hasDocument ? 'working' : 'empty')}</p>
  if (facts.replayed.requests.length === 0) return <p className="text-soft">{t('noRequests')}</p>
  const isOld = current === undefined || state !== now || !isCurrent(now)
  return (
    <div aria-busy={isOld} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2 2xl:flex-nowrap">
        <SessionHeadline facts={facts} />
        <SessionReportButtons
          factsOf={factsNow}
          isReady={!isOld}
          hasNames={hasNames}
          onNames={setHasNames}
        />
      </div>
      <div className={`flex flex-col gap-4 ${isOld ? 'faded' : ''}`}>
        <SessionSentences facts={facts} />
        <ChargedPanel replayed={facts.replayed} charged={facts.charged} />
        <div>
          <SessionCharts replayed={facts.replayed} model={facts.model} />
          <RequestTable replayed={facts.replayed} />
        </div>
        <AlternativesView
          alternatives={facts.alternatives}
          recommendation={facts.recommendation}
          smallestWindow={facts.advice.smallestWindow}
          summaryTokens={summaryTokens}
          onSummaryTokens={setSummaryTokens}
        />
        {state && (
          <UnseenHead
            outcomes={HEAD_OUTCOME_SELECTORS.map((select) => select(state))}
            conversation={conversationKeyOf(state)}
          />
        )}
      </div>
    </div>
  )
}
