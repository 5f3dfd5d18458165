import type { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import type { Tokens } from '@/lib/core/replay/units'
import type { RequestSeries } from '@/lib/core/report/chart-layout'
import type { ReportTexts } from './report/report-sentences'

export interface DescribedSeries {
  readonly replayed: Replay
  /** Cumulative input cost in dollars. */
  readonly cached: RequestSeries
  readonly plain: RequestSeries
}

/** Describes a request: tokens, cumulative cost, share of the context. */
export function describeRequest(
  t: ReturnType<typeof useTranslations<'drawer.charts'>>,
  { format, rule }: Pick<ReportTexts, 'format' | 'rule'>,
  { replayed, cached, plain }: DescribedSeries,
  request: number,
  model: { readonly name: string; readonly contextTokens: Tokens | undefined },
): string {
  const read = replayed.requests[request]
  if (read === undefined) return ''
  const { before, after } = read
  const money = (series: RequestSeries) => {
    const [first, second] = [series.before[request], series.after[request]]
    return {
      before: format.money(first, second),
      after: format.money(second, first),
      change: format.change(first, second),
    }
  }
  const isPriced = plain.before[request] !== undefined
  const { contextTokens } = model
  const parts = [
    t('request', {
      request: format.number(request + 1),
      requests: format.number(replayed.requests.length),
    }),
    t('readTokens', {
      before: format.number(before.tokens),
      after: format.number(after.tokens),
      change: format.change(before.tokens, after.tokens),
    }),
    ...(isPriced
      ? [t('readCached', { ...money(cached), rule }), t('readPlain', money(plain))]
      : []),
    ...(contextTokens === undefined || contextTokens === 0
      ? []
      : [
          t('context', {
            share: format.share(before.tokens / contextTokens),
            shareAfter: format.share(after.tokens / contextTokens),
            model: model.name,
          }),
        ]),
  ]
  return parts.join(' · ')
}
