import { bindsThinking } from '@/lib/core/conversation/reasoning-marks'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { batchNumber } from '@/lib/core/policy/policy'
import { type Chart, costSeries, tokenSeries } from '@/lib/core/report/chart-layout'
import { isMasking, type ReplayFigures, type WrittenFacts } from '@/lib/core/report/report-facts'
import type { ReportChart, ReportFact, ReportPage } from '@/lib/core/report/report-page'
import { reportFigure } from '@/lib/core/report/report-page'
import {
  assumptions,
  calibrationFacts,
  chargedFacts,
  policyFacts,
  priceFacts,
  toolFacts,
} from './report-lists'
import {
  applying,
  bandSentence,
  breakEvenSentences,
  chargedSentence,
  headline,
  limitSentence,
  lossSection,
  mechanismFigures,
  mechanismSentences,
  overflowSentence,
  type ReportTexts,
  recommendationSentence,
  riskSentence,
  textsBy,
} from './report-sentences'

export function writeReport(given: ReportTexts, facts: WrittenFacts, language: string): ReportPage {
  const texts = textsBy(given, facts.tried?.label)
  const { t, format, words } = texts
  const { measured, names, policy, replayed, charged, calibration, losses, mechanisms } = facts
  const { before, after } = replayed
  const said = headline(texts, facts)
  const isOn = isMasking(facts)
  const requests = replayed.requests.length
  const tokensChange = format.change(before.tokens, after.tokens)
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
    headline: applying([
      chargedSentence(texts, charged, replayed, isOn) ?? said.text,
      riskSentence(texts, facts),
    ]).join(' '),
    tone: said.tone,
    detail: applying([
      isOn && t('detail.what', { window: policy.windowTurns, batch: batchNumber(policy) }),
      isOn && t('detail.tokensAndMoney', { tokensChange, breaks: facts.prefixBreaks, requests }),
    ]),
    figures: figures(texts, facts),
    chart: chartOf(texts, facts.replayed, facts.cache.rule),
    sections: [
      {
        title: t('when.title'),
        items: applying([
          bandSentence(texts, facts),
          limitSentence(texts, facts),
          ...breakEvenSentences(texts, facts),
          facts.tried === undefined && recommendationSentence(texts, facts),
          overflowSentence(texts, facts),
          historySentence(texts, facts),
          t('when.quality'),
        ]),
      },
      losses && lossSection(texts, losses, replayed),
      charged && {
        title: t('charged.title', { requests: charged.charge.requests }),
        facts: chargedFacts(texts, charged),
      },
      { title: t('prices.title'), facts: priceFacts(texts, facts) },
      mechanisms && {
        title: t('mechanisms.title'),
        items: mechanismSentences(texts, facts, mechanisms),
        facts: mechanisms.map(({ id, settings, before: own, ...figures }): ReportFact => {
          const unchanged = own ?? { tokens: before.tokens, cost: before.costs.cached }
          return [
            [words({ name: MECHANISM_FACTS[id]?.label ?? id }), settings].join(' ').trim(),
            mechanismFigures(texts, figures, unchanged),
          ]
        }),
      },
      calibration && { title: t('calibration.title'), facts: calibrationFacts(texts, calibration) },
      names && { title: t('tools.title'), facts: toolFacts(texts, names.tools) },
      { title: t('assumptions.title'), items: assumptions(texts, facts) },
      { title: t('policy.title'), facts: policyFacts(texts, facts) },
    ].filter((section) => section !== undefined),
    footer: `${t('footer.made')} ${t(names === undefined ? 'footer.noNames' : 'footer.names')}`,
  }
}

/** What providers reject in the history, and whether the model in use rejects what masking adds. */
function historySentence({ t }: ReportTexts, { history, model: { name: model } }: WrittenFacts) {
  if (history === undefined) return undefined
  const sentence = t('history', { ...history })
  if (history.added === 0) return sentence
  return `${sentence} ${t(bindsThinking(model) ? 'historyModel.rejects' : 'historyModel.accepts', { model })}`
}

function figures({ t, format, rule }: ReportTexts, facts: WrittenFacts): ReportPage['figures'] {
  const { nextRequest, replayed, cache } = facts
  const { before, after } = replayed
  const readShare = ({ tokens, split }: typeof before) =>
    tokens === 0 ? t('unknown') : format.share(split.read / tokens)
  const read = { before: readShare(before), after: readShare(after) }
  const sent = { before: format.number(before.tokens), after: format.number(after.tokens) }
  const note = cache.rule.kind === 'none' ? t('figures.noCaching') : t('figures.cachedNote', read)
  const title = t(rule === 'unknown' ? 'figures.cachedUnknown' : 'figures.cached')
  const next = [nextRequest.before, nextRequest.after] as const
  const plain = [before.costs.plain, after.costs.plain] as const
  const plainNote = t('figures.plainNote', { ...sent, requests: replayed.requests.length })
  return [
    reportFigure(format, 'money', title, [before.costs.cached, after.costs.cached], note),
    reportFigure(format, 'number', t('figures.next'), next, t('figures.nextNote')),
    reportFigure(format, 'money', t('figures.plain'), plain, plainNote),
  ]
}

/** The charts of the cost, or of the tokens if a price is unknown. */
export function chartOf(
  texts: ReportTexts,
  replayed: WrittenFacts['replayed'],
  { kind }: WrittenFacts['cache']['rule'],
): ReportChart {
  const { t, format } = texts
  const { before, after } = replayed
  const isPriced = before.costs.plain !== undefined
  const title = t(isPriced ? 'chart.title' : 'chart.tokensTitle')
  const shown = (side: typeof before, other: typeof before) =>
    isPriced ? format.money(side.costs.cached, other.costs.cached) : format.number(side.tokens)
  return {
    title,
    description: t('chart.description', {
      title,
      caching: kind === 'none' ? 'no' : 'yes',
      before: shown(before, after),
      after: shown(after, before),
      requests: replayed.requests.length,
    }),
    charts: isPriced
      ? [costChart(texts, replayed, 'cached'), costChart(texts, replayed, 'plain')]
      : [tokensChart(texts, replayed, undefined)],
  }
}

/** What the charts of a session have in common. */
function sessionChart({ t }: ReportTexts) {
  return {
    names: { before: t('chart.before'), after: t('chart.after') },
    requestLabel: (request: number) =>
      t(request === 0 ? 'chart.request' : 'chart.laterRequest', { n: request + 1 }),
  }
}

/** Chart of the cumulative cost by request. */
function costChart(
  texts: ReportTexts,
  replayed: ReplayFigures,
  caching: 'plain' | 'cached',
): Chart {
  const { t, format, rule } = texts
  const { before, after } = replayed
  const highest = Math.max(before.costs[caching] ?? 0, after.costs[caching] ?? 0)
  const isUnknown = caching === 'cached' && rule === 'unknown'
  return {
    ...sessionChart(texts),
    title: t(isUnknown ? 'chart.cachedUnknown' : `chart.${caching}`),
    series: costSeries(replayed, caching),
    formatTick: format.shortMoney,
    formatValue: (value) => format.money(value, highest),
    limit: undefined,
  }
}

/** Chart of the tokens per request and the context limit. */
export function tokensChart(
  texts: ReportTexts,
  replayed: Parameters<typeof tokenSeries>[0],
  contextTokens: number | undefined,
): Chart {
  const { t, format } = texts
  const limitAt = (value: number) => {
    return { value, label: t('chart.limit', { tokens: format.shortNumber(value) }) }
  }
  return {
    ...sessionChart(texts),
    title: t('chart.context'),
    series: tokenSeries(replayed),
    formatTick: format.shortNumber,
    formatValue: format.number,
    limit: contextTokens === undefined ? undefined : limitAt(contextTokens),
  }
}
