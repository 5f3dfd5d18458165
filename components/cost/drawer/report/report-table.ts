import type { AlternativeSettings } from '@/lib/core/replay/alternatives/alternatives'
import type { Recommendation } from '@/lib/core/replay/recommend'
import type { ShownAlternative } from '@/lib/core/report/report-facts'
import type { ReportTable } from '@/lib/core/report/report-page'
import type { ReportTexts } from './report-sentences'

/** Table of the alternatives: tokens, input cost without and with caching, lost content, complexity. */
export function alternativesTable(
  texts: ReportTexts,
  listed: readonly ShownAlternative[],
  settings: AlternativeSettings,
  advice: Recommendation,
  smallest: number,
): ReportTable {
  const { t, format } = texts
  const calls = listed.find(({ id }) => id === 'summarised')?.extraCalls
  const { truncation, summaries } = settings
  const whole = listed.find(({ id }) => id === 'everything')
  return {
    title: t('strategies.title'),
    columns: [
      { label: t('strategies.columns.strategy'), isNumber: false },
      { label: t('strategies.columns.tokens'), isNumber: true },
      { label: t('strategies.columns.plain'), isNumber: true },
      {
        label: t(`strategies.columns.${texts.rule === 'unknown' ? 'cachedUnknown' : 'cached'}`),
        isNumber: true,
      },
      { label: t('strategies.columns.lost'), isNumber: false },
      { label: t('strategies.columns.complexity'), isNumber: false },
      { label: t('strategies.columns.remark'), isNumber: false },
    ],
    rows: listed.map((alternative) => [
      alternativeName(texts, alternative, advice, smallest),
      format.number(alternative.tokens),
      format.money(alternative.plain, whole?.plain),
      format.money(alternative.cached, whole?.cached),
      unsentContent(texts, alternative),
      alternativeComplexity(texts, alternative),
      alternativeRisk(texts, alternative),
    ]),
    notes: [
      t('strategies.notes.estimates', {
        head: truncation.headChars,
        tail: truncation.tailChars,
        limit: truncation.limitChars,
        summary: summaries.summaryTokens,
        every: summaries.everyTurns,
        keep: summaries.recentTurns,
        calls: calls?.count ?? 0,
        cost: format.money(calls?.cost),
      }),
    ],
  }
}

export function alternativeName(
  { t }: ReportTexts,
  { id, window }: ShownAlternative,
  advice: Recommendation,
  smallest: number,
): string {
  const values = { window: window?.windowTurns ?? 0, batch: window?.batchTurns ?? 1 }
  switch (id) {
    case 'as_set':
      return t('strategies.names.as_set', { ...values, isOff: values.window > 0 ? 'no' : 'yes' })
    case 'recommended': {
      const isCheaper = advice.state === 'mask' ? 'yes' : 'no'
      return t('strategies.names.recommended', { ...values, isCheaper, smallest })
    }
    case 'everything':
    case 'truncated':
    case 'summarised':
      return t(`strategies.names.${id}`)
  }
}

export function unsentContent({ t, format }: ReportTexts, { id, loss }: ShownAlternative): string {
  if (loss.count === 0) return t('strategies.lost.nothing')
  const kind = id === 'truncated' || id === 'summarised' ? id : 'masked'
  const { count, of } = loss
  return t(`strategies.lost.${kind}`, { count, of, tokens: format.number(loss.tokens) })
}

/** The risk that the model lacks something it needs later. */
function alternativeRisk({ t }: ReportTexts, { id, loss }: ShownAlternative): string {
  return t(`strategies.risk.${loss.count === 0 && id !== 'everything' ? 'nothing' : id}`)
}

export function alternativeComplexity(
  { t }: ReportTexts,
  { id, complexity, extraCalls }: ShownAlternative,
): string {
  const phrase = t(`strategies.complexity.${id}`, { calls: extraCalls?.count ?? 0 })
  return t('strategies.complexity.explained', {
    complexity: t(`strategies.complexity.${complexity}`),
    phrase,
  })
}
