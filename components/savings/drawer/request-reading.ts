import type { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import type { Tokens } from '@/lib/core/replay/units'
import type { RequestSeries } from '@/lib/core/report/request-series'
import type { SavingsFormat } from './savings-format'

export interface ReadSeries {
  readonly replayed: Replay
  /** Dollars of input so far. */
  readonly cached: RequestSeries
  readonly plain: RequestSeries
}

/** One request in words: its tokens, what has been paid so far, how full the context is. */
export function requestReading(
  t: ReturnType<typeof useTranslations<'drawer.charts'>>,
  format: SavingsFormat,
  { replayed, cached, plain }: ReadSeries,
  request: number,
  model: { readonly name: string; readonly contextTokens: Tokens | undefined },
): string {
  const read = replayed.requests[request]
  if (read === undefined) return ''
  const { before, after } = read
  const money = (series: RequestSeries) => {
    const [first, second] = [series.before[request], series.after[request]]
    return {
      before: format.usd(first, second),
      after: format.usd(second, first),
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
    ...(isPriced ? [t('readCached', money(cached)), t('readPlain', money(plain))] : []),
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
