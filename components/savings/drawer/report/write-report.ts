import type { Replay } from '@/lib/core/replay/replay'
import type { Chart } from '@/lib/core/report/chart-layout'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import type { ReportFigure, ReportPage, ReportTone } from '@/lib/core/report/report-page'
import { cumulativeCosts, requestTokens } from '@/lib/core/report/request-series'
import { assumptions, policyFacts, priceFacts, toolFacts } from './report-lists'
import {
  breakEvenSentences,
  headline,
  overflowSentence,
  recommendationSentence,
  type Writing,
} from './report-sentences'
import { strategyTable } from './report-table'

/** Puts the facts of a report into words. */
export function writeReport(writing: Writing, facts: ReportFacts, language: string): ReportPage {
  const { t, format } = writing
  const { measured, names, policy, replayed } = facts
  const said = headline(writing, facts)
  const isOn = policy.enabled && policy.windowTurns > 0
  const requests = replayed.requests.length
  const isPriced = replayed.before.costs.plain !== undefined
  return {
    language,
    title: t('title'),
    subtitle: t('subtitle', {
      hasName: names === undefined ? 'no' : 'yes',
      name: names?.file ?? '',
      format: measured.format,
      messages: measured.messages,
      turns: measured.turns,
      results: measured.results,
      requests,
      isLog: measured.origin === 'log' ? 'yes' : 'no',
      day: format.day(facts.day),
    }),
    headline: said.text,
    tone: said.tone,
    detail: isOn
      ? [
          t('detail.what', { window: policy.windowTurns, batch: Math.max(1, policy.batchTurns) }),
          t('detail.tokensAndMoney', {
            tokensChange: format.change(replayed.before.tokens, replayed.after.tokens),
            breaks: facts.prefixBreaks,
            requests,
          }),
        ]
      : [],
    figures: figures(writing, facts),
    chart: {
      title: t(isPriced ? 'chart.title' : 'chart.tokensTitle'),
      description: chartDescription(writing, facts, isPriced),
      charts: isPriced
        ? [costChart(writing, replayed, 'cached'), costChart(writing, replayed, 'plain')]
        : [tokensChart(writing, replayed, undefined)],
    },
    table: strategyTable(writing, facts.strategies, facts.strategySettings, facts.recommendation),
    sections: [
      {
        kind: 'sentences',
        title: t('when.title'),
        items: [
          ...breakEvenSentences(writing, facts),
          recommendationSentence(writing, facts),
          overflowSentence(writing, facts.model, replayed),
          t('when.quality'),
        ],
      },
      { kind: 'facts', title: t('prices.title'), items: priceFacts(writing, facts) },
      ...(names === undefined
        ? []
        : [
            {
              kind: 'facts' as const,
              title: t('tools.title'),
              items: toolFacts(writing, names.tools),
            },
          ]),
      { kind: 'sentences', title: t('assumptions.title'), items: assumptions(writing, facts) },
      { kind: 'facts', title: t('policy.title'), items: policyFacts(writing, policy) },
    ],
    footer: `${t('footer.made')} ${t(names === undefined ? 'footer.noNames' : 'footer.names')}`,
  }
}

function figures({ t, format }: Writing, facts: ReportFacts): ReportFigure[] {
  const { nextRequest, replayed, cache } = facts
  const { before, after } = replayed
  const readShare = (side: 'before' | 'after') => {
    const { tokens, split } = replayed[side]
    return tokens === 0 ? t('unknown') : format.share(split.read / tokens)
  }
  const figure = (
    title: string,
    values: readonly [before: number | undefined, after: number | undefined],
    write: (value: number | undefined, beside: number | undefined) => string,
    note: string,
  ): ReportFigure => ({
    title,
    before: write(values[0], values[1]),
    after: write(values[1], values[0]),
    change: format.change(...values),
    tone: toneOf(...values),
    note,
  })
  return [
    figure(
      t('figures.next'),
      [nextRequest.before, nextRequest.after],
      format.number,
      t('figures.nextNote'),
    ),
    figure(
      t('figures.plain'),
      [before.costs.plain, after.costs.plain],
      format.usd,
      t('figures.plainNote', {
        requests: replayed.requests.length,
        before: format.number(before.tokens),
        after: format.number(after.tokens),
      }),
    ),
    figure(
      t('figures.cached'),
      [before.costs.cached, after.costs.cached],
      format.usd,
      cache.rule.kind === 'none'
        ? t('figures.noCaching')
        : t('figures.cachedNote', { before: readShare('before'), after: readShare('after') }),
    ),
  ]
}

function toneOf(before: number | undefined, after: number | undefined): ReportTone {
  if (before === undefined || after === undefined || before === after) return 'plain'
  return after < before ? 'good' : 'warn'
}

/** What has been paid so far, request by request. */
export function costChart(
  { t, format }: Writing,
  replayed: Replay,
  caching: 'plain' | 'cached',
): Chart {
  return {
    title: t(`chart.${caching}`),
    series: cumulativeCosts(replayed, caching),
    formatTick: format.shortUsd,
    formatValue: (value) =>
      format.usd(
        value,
        Math.max(replayed.before.costs[caching] ?? 0, replayed.after.costs[caching] ?? 0),
      ),
    names: { before: t('chart.before'), after: t('chart.after') },
    requestLabel: (request) =>
      t(request === 0 ? 'chart.request' : 'chart.laterRequest', { n: request + 1 }),
    limit: undefined,
  }
}

/** How long each request is, beside the most the model takes. */
export function tokensChart(
  { t, format }: Writing,
  replayed: Replay,
  contextTokens: number | undefined,
): Chart {
  return {
    title: t('chart.context'),
    series: requestTokens(replayed),
    formatTick: format.shortNumber,
    formatValue: format.number,
    names: { before: t('chart.before'), after: t('chart.after') },
    requestLabel: (request) =>
      t(request === 0 ? 'chart.request' : 'chart.laterRequest', { n: request + 1 }),
    limit:
      contextTokens === undefined
        ? undefined
        : {
            value: contextTokens,
            label: t('chart.limit', { tokens: format.shortNumber(contextTokens) }),
          },
  }
}

function chartDescription(
  { t, format }: Writing,
  { replayed, cache }: ReportFacts,
  isPriced: boolean,
): string {
  const isCached = cache.rule.kind !== 'none'
  const { before, after } = replayed
  return t('chart.description', {
    title: t(isPriced ? 'chart.title' : 'chart.tokensTitle'),
    caching: isCached ? 'yes' : 'no',
    before: isPriced
      ? format.usd(before.costs.cached, after.costs.cached)
      : format.number(before.tokens),
    after: isPriced
      ? format.usd(after.costs.cached, before.costs.cached)
      : format.number(after.tokens),
    requests: replayed.requests.length,
  })
}
