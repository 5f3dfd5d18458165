import type {
  ReportFact,
  ReportFigure,
  ReportPage,
  ReportSection,
} from '@/lib/core/report/report-page'
import type { ScatterChart } from '@/lib/core/report/scatter-layout'
import type { FleetReportFacts } from '@/lib/state/files/fleet-report'
import {
  cacheAssumptions,
  countingAssumption,
  policyFacts,
  priceFacts,
} from '../../cost/drawer/report/report-lists'
import { changeFigure } from '../../cost/drawer/report/write-report'
import { fleetSentences, range, worstSentence } from '../fleet-sentences'
import { policyInWords, sessionsChart } from '../fleet-texts'
import { type FleetReportTexts, nameOfSession, sessionsTable, settingsTable } from './fleet-tables'

/** Writes the page of the report on all sessions from its facts. */
export function writeFleetReport(
  texts: FleetReportTexts,
  facts: FleetReportFacts,
  language: string,
): ReportPage<ScatterChart> {
  const { t, fleet, report } = texts
  const { sessions, policy, hasNames } = facts
  const chart = sessionsChart(fleet, sessions, policy)
  const count = sessions.length
  const list = (title: string, items: readonly ReportFact[]): ReportSection => ({
    kind: 'facts',
    title,
    items,
  })
  return {
    language,
    title: t('title', { count }),
    subtitle: t('subtitle', {
      count,
      files: facts.files,
      requests: facts.requests,
      day: fleet.format.day(facts.day),
    }),
    ...verdict(texts, facts),
    detail: detailOf(texts, facts),
    figures: figures(texts, facts),
    chart: {
      title: chart.title,
      description: [chart.title, ...chart.legend.map(({ label }) => label)].join('. '),
      charts: [chart],
    },
    table: settingsTable(texts, facts),
    sections: [
      {
        kind: 'sentences',
        title: t('reading.title'),
        items: [fleet.t('interval'), t('reading.quality')],
      },
      ...facts.models.map((model) =>
        list(t('models', { count: model.sessions }), priceFacts(report, model)),
      ),
      {
        kind: 'sentences',
        title: report.t('assumptions.title'),
        items: assumptions(texts, facts),
      },
      list(report.t('policy.title'), policyFacts(report, facts)),
    ],
    appendix: sessionsTable(texts, facts),
    footer: `${report.t('footer.made')} ${hasNames ? t('footer.names') : report.t('footer.noNames')}`,
  }
}

/** What the policy in use does to all sessions together. */
function verdict(
  { t, fleet }: FleetReportTexts,
  { sessions, policy, cached, comparison }: FleetReportFacts,
): Pick<ReportPage, 'headline' | 'tone'> {
  const { format } = fleet
  const { before, after } = cached
  const values = {
    policy: policyInWords(fleet.t, policy),
    count: sessions.length,
    before: format.money(before, after),
    after: format.money(after, before),
  }
  if (comparison === undefined) return { headline: t('headline.unpriced'), tone: 'plain' }
  if (!policy.enabled || policy.windowTurns <= 0)
    return { headline: t('headline.off', values), tone: 'plain' }
  if (before === after) return { headline: t('headline.same', values), tone: 'plain' }
  const [low, high] = comparison.savedShare
  const isCheaper = after < before
  return {
    headline: t(`headline.${isCheaper ? 'saves' : 'costs'}`, {
      ...values,
      share: format.share(Math.abs(before - after) / before),
      ...range(fleet, isCheaper ? [low, high] : [-high, -low]),
    }),
    tone: isCheaper ? 'good' : 'warn',
  }
}

function detailOf(texts: FleetReportTexts, facts: FleetReportFacts): string[] {
  const { t, fleet, report } = texts
  const { policy, comparison, cached, worst, isRecommended } = facts
  const named = withWorstName(texts, facts)
  const recommended = fleetSentences(fleet, named.fleet)
  const isOn = policy.enabled && policy.windowTurns > 0
  return [
    ...(isOn
      ? [
          report.t('detail.what', {
            window: policy.windowTurns,
            batch: Math.max(1, policy.batchTurns),
          }),
        ]
      : []),
    ...(isOn && comparison !== undefined && cached.before > 0
      ? [worstSentence(fleet, named.comparison ?? comparison, 1 - worst / cached.before)]
      : []),
    isRecommended
      ? t('isRecommended')
      : t('recommended', {
          sentence: [recommended.headline, recommended.worst].filter(Boolean).join(' '),
        }),
    ...[recommended.own, recommended.unpriced].filter((sentence) => sentence !== undefined),
  ]
}

/** The comparisons with the name that the report gives to their worst session. */
function withWorstName(
  texts: FleetReportTexts,
  facts: FleetReportFacts,
): Pick<FleetReportFacts, 'fleet' | 'comparison'> {
  const renamed = (comparison: FleetReportFacts['comparison']) => {
    const worst = facts.sessions.find(({ id }) => id === comparison?.worst?.id)
    return (
      comparison && {
        ...comparison,
        worst: comparison.worst && {
          ...comparison.worst,
          file: worst === undefined ? '' : nameOfSession(texts, facts, worst),
        },
      }
    )
  }
  return {
    comparison: renamed(facts.comparison),
    fleet: { ...facts.fleet, comparison: renamed(facts.fleet.comparison) },
  }
}

function figures(
  { t, fleet: { format } }: FleetReportTexts,
  { cached, plain, worst, comparison, requests }: FleetReportFacts,
): ReportFigure[] {
  const costs = (
    title: string,
    values: readonly [number | undefined, number | undefined],
    note: string,
  ) => changeFigure(format, title, values, format.money, note)
  return [
    costs(t('figures.cached'), [cached.before, cached.after], t('figures.cachedNote')),
    costs(
      t('figures.worst'),
      [cached.before, worst],
      t('figures.worstNote', { count: comparison?.costlierAtWorst ?? 0 }),
    ),
    costs(t('figures.plain'), [plain.before, plain.after], t('figures.plainNote', { requests })),
  ]
}

function assumptions(texts: FleetReportTexts, { models }: FleetReportFacts): string[] {
  const { t, report } = texts
  return [
    report.t('assumptions.steps'),
    // Models of one provider share their rule.
    ...new Set(models.flatMap((model) => cacheAssumptions(report, model))),
    t('expiry'),
    t('answers'),
    ...new Set(models.map((model) => countingAssumption(report, model))),
    ...(models.some(({ changesByHour }) => changesByHour) ? [report.t('assumptions.byHour')] : []),
  ]
}
