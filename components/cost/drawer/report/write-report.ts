import { bindsThinking } from '@/lib/core/integrity/check-history'
import { type Chart, costSeries, tokenSeries } from '@/lib/core/report/chart-layout'
import type { FigureFormat } from '@/lib/core/report/figure-format'
import type { HistoryFacts, ReplayFigures, WrittenFacts } from '@/lib/core/report/report-facts'
import type {
  ReportFact,
  ReportFigure,
  ReportPage,
  ReportSection,
  ReportTone,
} from '@/lib/core/report/report-page'
import { chargedSentence } from './charged-sentence'
import {
  assumptions,
  calibrationFacts,
  chargedFacts,
  policyFacts,
  priceFacts,
  toolFacts,
} from './report-lists'
import {
  breakEvenSentences,
  headline,
  lossSection,
  overflowSentence,
  type ReportTexts,
  recommendationSentence,
  riskSentence,
} from './report-sentences'
import { alternativesTable } from './report-table'

/** Writes the page of a report from its facts. */
export function writeReport(texts: ReportTexts, facts: WrittenFacts, language: string): ReportPage {
  const { t, format, words } = texts
  const { measured, names, policy, replayed } = facts
  const said = headline(texts, facts)
  const charged = chargedSentence(texts, facts.charged, replayed, policy)
  const isOn = policy.enabled && policy.windowTurns > 0
  const requests = replayed.requests.length
  const isPriced = replayed.before.costs.plain !== undefined
  return {
    language,
    title: t('title'),
    subtitle: t('subtitle', {
      hasName: names === undefined ? 'no' : 'yes',
      name: names?.file ?? '',
      format: words({ name: measured.format }),
      messages: measured.messages,
      turns: measured.turns,
      results: measured.results,
      requests,
      isLog: measured.origin === 'log' ? 'yes' : 'no',
      day: format.day(facts.day),
    }),
    headline: [charged ?? said.text, ...riskSentence(texts, facts)].join(' '),
    tone: said.tone,
    detail: isOn ? detailOf(texts, facts) : [],
    figures: figures(texts, facts),
    chart: {
      title: t(isPriced ? 'chart.title' : 'chart.tokensTitle'),
      description: chartDescription(texts, facts, isPriced),
      charts: isPriced
        ? [costChart(texts, replayed, 'cached'), costChart(texts, replayed, 'plain')]
        : [tokensChart(texts, replayed, undefined)],
    },
    table: alternativesTable(
      texts,
      facts.alternatives,
      facts.alternativeSettings,
      facts.recommendation,
      facts.advice.smallestWindow,
    ),
    sections: [
      {
        kind: 'sentences',
        title: t('when.title'),
        items: [
          ...breakEvenSentences(texts, facts),
          recommendationSentence(texts, facts),
          overflowSentence(texts, facts.model, replayed),
          ...(facts.history === undefined
            ? []
            : [historySentence(texts, facts.history, facts.model.name)]),
          t('when.quality'),
        ],
      },
      ...lossSection(texts, facts),
      ...lists(
        t('charged.title', { requests: facts.charged?.charge.requests ?? 0 }),
        facts.charged && chargedFacts(texts, facts.charged),
      ),
      ...lists(t('prices.title'), priceFacts(texts, facts)),
      ...lists(
        t('calibration.title'),
        facts.calibration && calibrationFacts(texts, facts.calibration),
      ),
      ...lists(t('tools.title'), names && toolFacts(texts, names.tools)),
      { kind: 'sentences', title: t('assumptions.title'), items: assumptions(texts, facts) },
      ...lists(t('policy.title'), policyFacts(texts, facts)),
    ],
    footer: `${t('footer.made')} ${t(names === undefined ? 'footer.noNames' : 'footer.names')}`,
  }
}

/** What providers reject in the history, and whether the model in use rejects what masking adds. */
function historySentence({ t }: ReportTexts, facts: HistoryFacts, model: string): string {
  const sentence = t('history', { ...facts })
  if (facts.added === 0) return sentence
  return `${sentence} ${t(bindsThinking(model) ? 'historyModel.rejects' : 'historyModel.accepts', { model })}`
}

/** A section of these facts; none if there are none. */
function lists(title: string, items: readonly ReportFact[] | undefined): ReportSection[] {
  return items === undefined ? [] : [{ kind: 'facts', title, items }]
}

/** What masking does, and what it changed here. */
function detailOf({ t, format }: ReportTexts, facts: WrittenFacts): string[] {
  const { policy, replayed } = facts
  return [
    t('detail.what', { window: policy.windowTurns, batch: Math.max(1, policy.batchTurns) }),
    t('detail.tokensAndMoney', {
      tokensChange: format.change(replayed.before.tokens, replayed.after.tokens),
      breaks: facts.prefixBreaks,
      requests: replayed.requests.length,
    }),
  ]
}

function figures({ t, format, rule }: ReportTexts, facts: WrittenFacts): ReportFigure[] {
  const { nextRequest, replayed, cache } = facts
  const { before, after } = replayed
  const readShare = (side: 'before' | 'after') => {
    const { tokens, split } = replayed[side]
    return tokens === 0 ? t('unknown') : format.share(split.read / tokens)
  }
  const figure = (
    title: string,
    values: Parameters<typeof changeFigure>[2],
    write: Parameters<typeof changeFigure>[3],
    note: string,
  ) => changeFigure(format, title, values, write, note)
  return [
    figure(
      t(rule === 'unknown' ? 'figures.cachedUnknown' : 'figures.cached'),
      [before.costs.cached, after.costs.cached],
      format.money,
      cache.rule.kind === 'none'
        ? t('figures.noCaching')
        : t('figures.cachedNote', { before: readShare('before'), after: readShare('after') }),
    ),
    figure(
      t('figures.next'),
      [nextRequest.before, nextRequest.after],
      format.number,
      t('figures.nextNote'),
    ),
    figure(
      t('figures.plain'),
      [before.costs.plain, after.costs.plain],
      format.money,
      t('figures.plainNote', {
        requests: replayed.requests.length,
        before: format.number(before.tokens),
        after: format.number(after.tokens),
      }),
    ),
  ]
}

/** A figure before and after, with its change. */
export function changeFigure(
  format: FigureFormat,
  title: string,
  [before, after]: readonly [before: number | undefined, after: number | undefined],
  write: (value: number | undefined, beside: number | undefined) => string,
  note: string,
): ReportFigure {
  return {
    title,
    before: write(before, after),
    after: write(after, before),
    change: format.change(before, after),
    tone: toneOf(before, after),
    note,
  }
}

function toneOf(before: number | undefined, after: number | undefined): ReportTone {
  if (before === undefined || after === undefined || before === after) return 'plain'
  return after < before ? 'good' : 'warn'
}

/** Chart of the cumulative cost by request. */
export function costChart(
  { t, format, rule }: ReportTexts,
  replayed: ReplayFigures,
  caching: 'plain' | 'cached',
): Chart {
  return {
    title: t(
      caching === 'cached' && rule === 'unknown' ? 'chart.cachedUnknown' : `chart.${caching}`,
    ),
    series: costSeries(replayed, caching),
    formatTick: format.shortMoney,
    formatValue: (value) =>
      format.money(
        value,
        Math.max(replayed.before.costs[caching] ?? 0, replayed.after.costs[caching] ?? 0),
      ),
    names: { before: t('chart.before'), after: t('chart.after') },
    requestLabel: (request) =>
      t(request === 0 ? 'chart.request' : 'chart.laterRequest', { n: request + 1 }),
    limit: undefined,
  }
}

/** Chart of the tokens per request and the context limit. */
export function tokensChart(
  { t, format }: ReportTexts,
  replayed: ReplayFigures,
  contextTokens: number | undefined,
): Chart {
  return {
    title: t('chart.context'),
    series: tokenSeries(replayed),
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
  { t, format }: ReportTexts,
  { replayed, cache }: WrittenFacts,
  isPriced: boolean,
): string {
  const isCached = cache.rule.kind !== 'none'
  const { before, after } = replayed
  return t('chart.description', {
    title: t(isPriced ? 'chart.title' : 'chart.tokensTitle'),
    caching: isCached ? 'yes' : 'no',
    before: isPriced
      ? format.money(before.costs.cached, after.costs.cached)
      : format.number(before.tokens),
    after: isPriced
      ? format.money(after.costs.cached, before.costs.cached)
      : format.number(after.tokens),
    requests: replayed.requests.length,
  })
}
