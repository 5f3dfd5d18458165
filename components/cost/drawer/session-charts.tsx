import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import type { RequestSeries } from '@/lib/core/report/chart-layout'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { ChartReader } from '../../ui/chart-reader'
import { PageChart } from './report/charts'
import type { ReportTexts } from './report/report-sentences'
import { costChart, tokensChart } from './report/write-report'
import { useReportTexts } from './use-report-texts'

const GAP = 28
/** Minimum width of a chart; fewer charts are placed side by side if they would be narrower. */
const LEAST_WIDTH = 300

/** Charts of cumulative cost and request size. A selected request is marked on all of them. */
export function SessionCharts({ replayed, model }: Pick<ReportFacts, 'replayed' | 'model'>) {
  const t = useTranslations('drawer.charts')
  const texts = useReportTexts()
  const last = replayed.requests.length - 1
  const { contextTokens } = model
  const isOpen = replayed.requests[last]?.request.answer === undefined

  const { cached, plain, tokens } = useMemo(() => {
    const isUnknown = texts.rule === 'unknown'
    return {
      cached: {
        ...costChart(texts, replayed, 'cached'),
        title: t(isUnknown ? 'cachedUnknown' : 'cached'),
      },
      plain: { ...costChart(texts, replayed, 'plain'), title: t('plain') },
      tokens: {
        ...tokensChart(texts, replayed, contextTokens),
        title: t(isOpen ? 'tokensToNext' : 'tokens'),
      },
    }
  }, [t, texts, replayed, contextTokens, isOpen])
  const charts = replayed.before.costs.plain === undefined ? [tokens] : [cached, plain, tokens]
  const described = { replayed, model, cached: cached.series, plain: plain.series }
  return (
    <section aria-label={t('label')}>
      <ChartReader
        label={t('reader')}
        keys={t('keys')}
        hint={t('hint')}
        read={(at) => describeRequest(t, texts, described, at)}
        last={last}
        noteClass="sm:min-h-5"
      >
        {({ width, ...place }) => {
          const fitting = Math.floor((width + GAP) / (LEAST_WIDTH + GAP))
          const columns = Math.max(1, Math.min(charts.length, fitting))
          return (
            <div
              className="grid"
              style={{
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                gap: `12px ${GAP}px`,
              }}
            >
              {charts.map((chart) => (
                <div key={chart.title} className="min-w-0">
                  <p className="font-medium">{chart.title}</p>
                  <PageChart
                    {...place}
                    chart={chart}
                    width={(width - GAP * (columns - 1)) / columns}
                    height={168}
                  />
                </div>
              ))}
            </div>
          )
        }}
      </ChartReader>
    </section>
  )
}

/** Describes a request: tokens, cumulative cost, share of the context. */
function describeRequest(
  t: ReturnType<typeof useTranslations<'drawer.charts'>>,
  { format, rule }: Pick<ReportTexts, 'format' | 'rule'>,
  facts: Pick<ReportFacts, 'replayed' | 'model'> & Record<'cached' | 'plain', RequestSeries>,
  request: number,
): string {
  const { replayed, cached, plain, model } = facts
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
    isPriced && t('readCached', { ...money(cached), rule }),
    isPriced && t('readPlain', money(plain)),
    contextTokens !== undefined &&
      contextTokens > 0 &&
      t('context', {
        share: format.share(before.tokens / contextTokens),
        shareAfter: format.share(after.tokens / contextTokens),
        model: model.name,
      }),
  ]
  return parts.filter(Boolean).join(' · ')
}
