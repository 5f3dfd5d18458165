import { useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { useLocale, useTranslations } from 'use-intl'
import { DEFAULT_SUMMARIES } from '@/lib/core/replay/alternatives/summarise-session'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { HEAD_OUTCOME_SELECTORS } from '@/lib/state/costs/charged-session'
import { reportFactsOf, reportSteps } from '@/lib/state/costs/session-report'
import { isCurrent } from '@/lib/state/document/selectors'
import { BottomDrawer } from '../../drawer/bottom-drawer'
import { RecommendedSetting } from '../../meters/advice-details'
import {
  conversationKeyOf,
  useComputedState,
  useDeferredState,
  usePlayground,
  useShownOf,
  useView,
} from '../../playground-context'
import { today } from '../../today'
import { AlternativesView } from './alternatives-view'
import { ChargedPanel, UnseenHead } from './charged/charged-panel'
import { RequestTable } from './details-table'
import { chargedSentence } from './report/charged-sentence'
import { REPORT_STYLE, ReportDocument } from './report/report-document'
import { breakEvenSentences, headline, overflowSentence } from './report/report-sentences'
import { writeReport } from './report/write-report'
import { SessionReportButtons } from './report-buttons'
import { SessionCharts } from './session-charts'
import { useReportTexts } from './use-report-texts'

/** Summary, charts, alternatives and report of the session. */
function DrawerContent() {
  const { t, store } = useView('drawer')
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
          facts={facts}
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

/** The drawer with the cost of the session. */
export function CostDrawer() {
  const t = useTranslations('drawer')
  return (
    <BottomDrawer drawer="cost" title={t('cost')} closeLabel={t('close')}>
      <DrawerContent />
    </BottomDrawer>
  )
}

interface SessionSentencesProps {
  readonly facts: ReportFacts
}

const EDGES = { good: 'border-good', warn: 'border-warn', plain: 'border-ghost' }

/** The headline in one sentence: what was charged, or what masking changes. */
function SessionHeadline({ facts }: SessionSentencesProps) {
  const texts = useReportTexts()
  const { text, tone } = headline(texts, facts)
  return (
    <h2 className={`max-w-[70ch] border-l-2 pl-2.5 font-semibold text-lg ${EDGES[tone]}`}>
      {chargedSentence(texts, facts.charged, facts.replayed, facts.policy) ?? text}
    </h2>
  )
}

/** Sentences on break-even, the recommended setting, and the context limit. */
function SessionSentences({ facts }: SessionSentencesProps) {
  const texts = useReportTexts()
  return (
    <ul className="gap-x-8 text-soft lg:columns-2 [&>li]:break-inside-avoid [&>li]:pb-1">
      <li>
        <RecommendedSetting facts={facts} />
      </li>
      {breakEvenSentences(texts, facts).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      <li>{overflowSentence(texts, facts)}</li>
    </ul>
  )
}

/** Printing the page prints the report, without names, as soon as there are figures. */
export function PrintedReport() {
  const { store } = usePlayground()
  const texts = useReportTexts()
  const language = useLocale()
  useEffect(() => {
    let printed: { readonly element: HTMLElement; readonly root: Root } | undefined
    const remove = () => {
      printed?.root.unmount()
      printed?.element.remove()
      printed = undefined
    }
    const add = () => {
      remove()
      const { summaryTokens } = DEFAULT_SUMMARIES
      const facts = reportFactsOf(store.getState(), {
        day: today(),
        hasNames: false,
        summaryTokens,
      })
      if (facts === undefined) return
      const element = document.createElement('div')
      element.className = 'printed-report'
      // Its style sheet and that of the page stay apart.
      const root = createRoot(element.attachShadow({ mode: 'open' }))
      flushSync(() =>
        root.render(
          <>
            <style>{REPORT_STYLE}</style>
            <ReportDocument page={writeReport(texts, facts, language)} />
          </>,
        ),
      )
      document.body.append(element)
      printed = { element, root }
    }
    addEventListener('beforeprint', add)
    addEventListener('afterprint', remove)
    return () => {
      removeEventListener('beforeprint', add)
      removeEventListener('afterprint', remove)
      remove()
    }
  }, [store, texts, language])
  return null
}
