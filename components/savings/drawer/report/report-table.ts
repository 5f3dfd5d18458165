import type { Recommendation } from '@/lib/core/replay/recommend'
import type { Strategy, StrategySettings } from '@/lib/core/replay/strategies'
import type { ReportTable } from '@/lib/core/report/report-page'
import type { Writing } from './report-sentences'

/** Name, tokens, money without and with caching, what is lost, complexity; money is of input. */
export function strategyTable(
  writing: Writing,
  listed: readonly Strategy[],
  settings: StrategySettings,
  advice: Recommendation,
): ReportTable {
  const { t, format } = writing
  const calls = listed.find(({ id }) => id === 'summarised')?.ownCalls
  const { truncation, summaries } = settings
  const whole = listed.find(({ id }) => id === 'everything')
  return {
    title: t('strategies.title'),
    columns: [
      { label: t('strategies.columns.strategy'), isNumber: false },
      { label: t('strategies.columns.tokens'), isNumber: true },
      { label: t('strategies.columns.plain'), isNumber: true },
      { label: t('strategies.columns.cached'), isNumber: true },
      { label: t('strategies.columns.lost'), isNumber: false },
      { label: t('strategies.columns.complexity'), isNumber: false },
    ],
    rows: listed.map((strategy) => [
      strategyName(writing, strategy, advice),
      format.number(strategy.tokens),
      format.usd(strategy.plain, whole?.plain),
      format.usd(strategy.cached, whole?.cached),
      strategyLoss(writing, strategy),
      strategyComplexity(writing, strategy),
    ]),
    notes: [
      t('strategies.notes.estimates', {
        head: truncation.headChars,
        tail: truncation.tailChars,
        limit: truncation.limitChars,
        summary: summaries.summaryTokens,
        every: summaries.everyTurns,
        keep: summaries.keepTurns,
        calls: calls?.count ?? 0,
        cost: format.usd(calls?.cost),
      }),
    ],
  }
}

export function strategyName(
  { t }: Writing,
  { id, window }: Strategy,
  advice: Recommendation,
): string {
  const values = { window: window?.windowTurns ?? 0, batch: window?.batchTurns ?? 1 }
  switch (id) {
    case 'as_set':
      return t('strategies.names.as_set', { ...values, isOff: values.window > 0 ? 'no' : 'yes' })
    case 'recommended': {
      const isCheaper = advice.state === 'mask' ? 'yes' : 'no'
      return t('strategies.names.recommended', { ...values, isCheaper })
    }
    case 'everything':
    case 'truncated':
    case 'summarised':
      return t(`strategies.names.${id}`)
  }
}

export function strategyLoss({ t, format }: Writing, { id, loss }: Strategy): string {
  if (loss.count === 0) return t('strategies.lost.nothing')
  const kind = id === 'truncated' || id === 'summarised' ? id : 'masked'
  const { count, of } = loss
  return t(`strategies.lost.${kind}`, { count, of, tokens: format.number(loss.tokens) })
}

export function strategyComplexity({ t }: Writing, { id, complexity, ownCalls }: Strategy): string {
  const phrase = t(`strategies.complexity.${id}`, { calls: ownCalls?.count ?? 0 })
  return `${t(`strategies.complexity.${complexity}`)}: ${phrase}`
}
