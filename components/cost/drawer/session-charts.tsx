'use client'

import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Replay } from '@/lib/core/replay/replay'
import type { Tokens } from '@/lib/core/replay/units'
import { type Chart, costSeries, type RequestSeries } from '@/lib/core/report/chart-layout'
import { ChartReader } from '../../ui/chart-reader'
import { remInPixels, useWidth } from '../../ui/use-width'
import { LineChart, lineLayout, PAGE_COLOURS } from './report/charts'
import type { ReportTexts } from './report/report-sentences'
import { costChart, tokensChart } from './report/write-report'
import { useReportTexts } from './use-report-texts'

interface SessionChartsProps {
  readonly replayed: Replay
  readonly model: { readonly name: string; readonly contextTokens: Tokens | undefined }
}

const HEIGHT = 168
const GAP = 28
/** Minimum width of a chart; fewer charts are placed side by side if they would be narrower. */
const LEAST_WIDTH = 300

/** Charts of cumulative cost and request size. A selected request is marked on all of them. */
export function SessionCharts({ replayed, model }: SessionChartsProps) {
  const t = useTranslations('drawer.charts')
  const texts = useReportTexts()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const last = replayed.requests.length - 1
  const [pointed, setPointed] = useState<number>()
  const request = pointed === undefined ? undefined : Math.min(pointed, last)
  const { contextTokens } = model
  const isOpen = replayed.requests[last]?.request.answer === undefined

  const charts = useMemo((): { readonly title: string; readonly chart: Chart }[] => {
    const tokens = {
      title: t(isOpen ? 'tokensToNext' : 'tokens'),
      chart: tokensChart(texts, replayed, contextTokens),
    }
    if (replayed.before.costs.plain === undefined) return [tokens]
    const cached = {
      title: t(texts.rule === 'unknown' ? 'cachedUnknown' : 'cached'),
      chart: costChart(texts, replayed, 'cached'),
    }
    const plain = { title: t('plain'), chart: costChart(texts, replayed, 'plain') }
    return [cached, plain, tokens]
  }, [t, texts, replayed, contextTokens, isOpen])

  const columns = Math.max(
    1,
    Math.min(charts.length, Math.floor((width + GAP) / (LEAST_WIDTH + GAP))),
  )
  const chartWidth = (width - GAP * (columns - 1)) / columns

  const series = useMemo(
    () => ({
      replayed,
      cached: costSeries(replayed, 'cached'),
      plain: costSeries(replayed, 'plain'),
    }),
    [replayed],
  )
  const reading = describeRequest(t, texts, series, request ?? last, model)
  return (
    <section aria-label={t('label')}>
      <ChartReader
        ref={box}
        label={t('reader')}
        keys={t('keys')}
        text={reading}
        at={request}
        last={last}
        onPlace={setPointed}
        className="grid rounded-sm outline-offset-4"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap: `12px ${GAP}px` }}
      >
        {width > 0 &&
          charts.map(({ title, chart }) => (
            <div key={title} className="min-w-0">
              <p className="font-medium">{title}</p>
              <SessionChart
                chart={chart}
                width={chartWidth}
                height={HEIGHT}
                request={request}
                onRequest={setPointed}
              />
            </div>
          ))}
      </ChartReader>
      <p className="mt-1 min-h-9 text-soft text-sm sm:min-h-5" aria-hidden>
        {request === undefined ? t('hint') : reading}
      </p>
    </section>
  )
}

interface SessionChartProps {
  readonly chart: Chart
  readonly width: number
  readonly height: number
  /** Index of the selected request. */
  readonly request?: number | undefined
  readonly onRequest?: (request: number | undefined) => void
}

/** Two lines over the requests, with the selected request marked on both. */
export function SessionChart({ chart, width, height, request, onRequest }: SessionChartProps) {
  // Laid out for texts of 12 pixels, then scaled with the font of the page.
  const scale = remInPixels() / 16
  const [w, h] = [width / scale, height / scale]
  const layout = useMemo(() => lineLayout(chart, w, h), [chart, w, h])
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    onRequest?.(layout.requestAt((event.clientX - left) / scale))
  }
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${w} ${h}`}
      fontSize={12}
      aria-hidden
      className="block touch-pan-y"
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => onRequest?.(undefined)}
    >
      <LineChart chart={chart} layout={layout} colours={PAGE_COLOURS} request={request} />
    </svg>
  )
}

interface DescribedSeries {
  readonly replayed: Replay
  /** Cumulative input cost in dollars. */
  readonly cached: RequestSeries
  readonly plain: RequestSeries
}

/** Describes a request: tokens, cumulative cost, share of the context. */
function describeRequest(
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
