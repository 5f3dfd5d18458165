import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { useLocale } from 'use-intl'
import { DEFAULT_SUMMARIES } from '@/lib/core/replay/alternatives/summarise-session'
import { reportFactsOf } from '@/lib/state/costs/session-report'
import { usePlayground } from '../../playground-context'
import { today } from '../../today'
import { REPORT_STYLE, ReportDocument } from './report/report-document'
import { writeReport } from './report/write-report'
import { useReportTexts } from './use-report-texts'

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
