'use client'

import { useEffect } from 'react'
import { useLocale } from 'use-intl'
import { DEFAULT_SUMMARIES } from '@/lib/core/replay/alternatives/summarise-session'
import { reportHtml } from '@/lib/core/report/report-html'
import { reportFactsOf } from '@/lib/state/costs/session-report'
import { usePlayground } from '../../playground-context'
import { today } from '../../today'
import { writeReport } from './report/write-report'
import { useReportTexts } from './use-report-texts'

/** Printing the page prints the report, without names, as soon as there are figures. */
export function PrintedReport() {
  const { store } = usePlayground()
  const texts = useReportTexts()
  const language = useLocale()
  useEffect(() => {
    let printed: HTMLElement | undefined
    const remove = () => printed?.remove()
    const add = () => {
      remove()
      const { summaryTokens } = DEFAULT_SUMMARIES
      const facts = reportFactsOf(store.getState(), {
        day: today(),
        hasNames: false,
        summaryTokens,
      })
      if (facts === undefined) return
      const html = reportHtml(writeReport(texts, facts, language))
      const { head, body } = new DOMParser().parseFromString(html, 'text/html')
      printed = document.createElement('div')
      printed.className = 'printed-report'
      // Its style sheet and that of the page stay apart.
      printed
        .attachShadow({ mode: 'open' })
        .append(...head.querySelectorAll('style'), ...body.children)
      document.body.append(printed)
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
