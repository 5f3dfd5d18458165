'use client'

import type { ReportFacts } from '@/lib/core/report/report-facts'
import { RecommendedSetting } from './recommended-setting'
import { chargedSentence } from './report/charged-sentence'
import { breakEvenSentences, headline, overflowSentence } from './report/report-sentences'
import { useReportTexts } from './use-report-texts'

export interface SessionSentencesProps {
  readonly facts: ReportFacts
}

const EDGES = { good: 'border-good', warn: 'border-warn', plain: 'border-ghost' }

/** The headline in one sentence: what was charged, or what masking changes. */
export function SessionHeadline({ facts }: SessionSentencesProps) {
  const texts = useReportTexts()
  const { text, tone } = headline(texts, facts)
  return (
    <h2 className={`max-w-[70ch] border-l-2 pl-2.5 font-semibold text-lg ${EDGES[tone]}`}>
      {chargedSentence(texts, facts.charged, facts.replayed, facts.policy) ?? text}
    </h2>
  )
}

/** Sentences on break-even, the recommended setting, and the context limit. */
export function SessionSentences({ facts }: SessionSentencesProps) {
  const texts = useReportTexts()
  const { replayed, model } = facts
  return (
    <ul className="gap-x-8 text-soft lg:columns-2 [&>li]:break-inside-avoid [&>li]:pb-1">
      <li>
        <RecommendedSetting facts={facts} />
      </li>
      {breakEvenSentences(texts, facts).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      <li>{overflowSentence(texts, model, replayed)}</li>
    </ul>
  )
}
