import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { useLocale } from 'use-intl'
import type { Tokens } from '@/lib/core/replay/prompt-cache'
import { isMasking, type ReportFacts } from '@/lib/core/report/report-facts'
import { REPORT_STEPS, reportFactsOf } from '@/lib/state/costs/session-report'
import { isCurrent } from '@/lib/state/document/selectors'
import { RecommendedSetting } from '../meters/advice-details'
import {
  conversationKeyOf,
  useComputedState,
  useDeferredState,
  usePlayground,
  useShownOf,
  useView,
} from '../playground-context'
import { today } from '../today'
import { Unbroken } from '../ui/line-breaks'
import { useWindowEvents } from '../use-events'
import { ChargedPanel, UnseenHead } from './charged/charged-panel'
import { ChartFigure, REPORT_STYLE, ReportDocument } from './report/report-document'
import {
  applying,
  bandSentence,
  breakEvenSentences,
  chargedSentence,
  headline,
  limitSentence,
  overflowSentence,
} from './report/report-sentences'
import { chartOf, tokensChart, writeReport } from './report/write-report'
import { SessionReportButtons } from './report-buttons'
import { RequestTable } from './request-table'
import { useReportTexts } from './use-report-texts'
import '../figures/report.css'

/** Summary, charts and report of the session. */
export function SessionCost() {
  const { t, store } = useView('sessionCost')
  const texts = useReportTexts()
  const [hasNames, setHasNames] = useState(false)
  const hasDocument = useDeferredState(({ read }) => read !== undefined)
  const now = useDeferredState((whole) => whole)
  const state = useComputedState(REPORT_STEPS)
  const current = useMemo(
    () => state && reportFactsOf(state, { day: '', hasNames: false }),
    [state],
  )
  const { shown: facts } = useShownOf(current, state && conversationKeyOf(state))
  const factsNow = () => {
    const now = store.getState()
    return isCurrent(now) ? reportFactsOf(now, { day: today(), hasNames }) : undefined
  }

  const note = (text: string) => <p className="p-4 text-soft">{text}</p>
  if (facts === undefined) return note(t(hasDocument ? 'working' : 'empty'))
  if (facts.replayed.requests.length === 0) return note(t('noRequests'))
  const { text, tone } = headline(texts, facts)
  const isOld = current === undefined || state !== now || !isCurrent(now)
  return (
    <div aria-busy={isOld} className="flex flex-col gap-4 overflow-y-auto p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <h2 className={`max-w-[70ch] border-l-2 pl-2.5 font-semibold text-lg ${EDGES[tone]}`}>
          <Unbroken
            text={chargedSentence(texts, facts.charged, facts.replayed, isMasking(facts)) ?? text}
          />
        </h2>
        <SessionReportButtons
          factsOf={factsNow}
          isReady={!isOld}
          hasNames={hasNames}
          onNames={setHasNames}
        />
      </div>
      <div className={`flex flex-col gap-4 ${isOld ? 'faded' : ''}`}>
        <ul className="gap-x-8 text-soft @3xl:columns-2 [&>li]:break-inside-avoid [&>li]:pb-1">
          {facts.tried === undefined && (
            <li>
              <RecommendedSetting facts={facts} />
            </li>
          )}
          {applying([
            limitSentence(texts, facts),
            bandSentence(texts, facts),
            ...breakEvenSentences(texts, facts),
          ]).map((sentence) => (
            <li key={sentence}>
              <Unbroken text={sentence} />
            </li>
          ))}
          <li>{overflowSentence(texts, facts)}</li>
        </ul>
        <ChargedPanel replayed={facts.replayed} charged={facts.charged} />
        <div>
          <CostCharts
            replayed={facts.replayed}
            rule={facts.cache.rule}
            contextTokens={facts.model.contextTokens}
          />
          <RequestTable replayed={facts.replayed} />
        </div>
        <UnseenHead />
      </div>
    </div>
  )
}

/** Drawn again only when what they show changes: the state does with every step of a progress. */
const CostCharts = memo(function CostCharts(props: {
  readonly replayed: ReportFacts['replayed']
  readonly rule: ReportFacts['cache']['rule']
  readonly contextTokens: Tokens | undefined
}) {
  const { replayed, rule, contextTokens } = props
  const texts = useReportTexts()
  const costs = chartOf(texts, replayed, rule)
  const tokens = tokensChart(texts, replayed, contextTokens)
  const isPriced = replayed.before.costs.plain !== undefined
  const charts = isPriced ? [...costs.charts, tokens] : [tokens]
  return (
    <div className="report">
      <ChartFigure chart={{ ...costs, charts }} />
    </div>
  )
})

const EDGES = { good: 'border-good', warn: 'border-warn', plain: 'border-ghost' }

/** Printing the page prints the report, without names, as soon as there are figures. */
export function PrintedReport() {
  const { store } = usePlayground()
  const texts = useReportTexts()
  const language = useLocale()
  const remove = useRef(() => {})
  useEffect(() => () => remove.current(), [])
  const add = () => {
    remove.current()
    const facts = reportFactsOf(store.getState(), { day: today(), hasNames: false })
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
    remove.current = () => {
      root.unmount()
      element.remove()
    }
  }
  useWindowEvents({ beforeprint: add, afterprint: () => remove.current() })
  return null
}
