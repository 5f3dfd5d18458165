import type { useTranslations } from 'use-intl'
import type { FleetComparison, Interval } from '@/lib/core/fleet/recommend-fleet'
import { batchNumber } from '@/lib/core/policy/policy'
import {
  type ReportPage,
  type ReportTable,
  reportFigure,
  reportTable,
} from '@/lib/core/report/report-page'
import type { FleetReportFacts, ListedSession } from '@/lib/state/files/fleet-report'
import {
  cacheAssumptions,
  countingAssumption,
  policyFacts,
  priceFacts,
} from '../../cost/drawer/report/report-lists'
import { applying, type ReportTexts } from '../../cost/drawer/report/report-sentences'
import {
  type FleetTexts,
  fleetSentences,
  policyInWords,
  range,
  sessionsChart,
  worstSentence,
} from '../fleet-texts'

/** The texts of the report, of the panel on all sessions, and of the report on one session. */
export interface FleetReportTexts {
  readonly t: ReturnType<typeof useTranslations<'fleetReport'>>
  readonly fleet: FleetTexts
  readonly report: Omit<ReportTexts, 'rule'>
}

/** Writes the page of the report on all sessions from its facts. */
export function writeFleetReport(
  texts: FleetReportTexts,
  facts: FleetReportFacts,
  language: string,
): ReportPage {
  const { t, fleet, report } = texts
  const { format } = fleet
  const { sessions, hasNames, models, requests, cached, plain, worst, comparison } = facts
  const chart = sessionsChart(fleet, sessions, facts.policy)
  const count = sessions.length
  const costlier = comparison?.costlierAtWorst ?? 0
  return {
    language,
    title: t('title', { count }),
    subtitle: t('subtitle', { count, files: facts.files, requests, day: format.day(facts.day) }),
    ...verdict(texts, facts),
    detail: detailOf(texts, facts),
    figures: (
      [
        ['cached', cached.before, cached.after, t('figures.cachedNote')],
        ['worst', cached.before, worst, t('figures.worstNote', { count: costlier })],
        ['plain', plain.before, plain.after, t('figures.plainNote', { requests })],
      ] as const
    ).map(([name, before, after, note]) =>
      reportFigure(format, 'money', t(`figures.${name}`), [before, after], note),
    ),
    chart: {
      title: chart.title,
      description: [chart.title, ...chart.legend.map(({ label }) => label)].join('. '),
      charts: [chart],
    },
    table: settingsTable(texts, facts),
    sections: [
      { title: t('reading.title'), items: [fleet.t('interval'), t('reading.quality')] },
      ...models.map((model) => ({
        title: t('models', { count: model.sessions }),
        facts: priceFacts(report, model),
      })),
      {
        title: report.t('assumptions.title'),
        items: applying([
          report.t('assumptions.steps'),
          // Models of one provider share their rule.
          ...new Set(models.flatMap((model) => cacheAssumptions(report, model))),
          t('expiry'),
          t('answers'),
          ...new Set(models.map((model) => countingAssumption(report, model))),
          models.some(({ changesByHour }) => changesByHour) && report.t('assumptions.byHour'),
        ]),
      },
      { title: report.t('policy.title'), facts: policyFacts(report, facts) },
    ],
    appendix: sessionsTable(texts, facts),
    footer: `${report.t('footer.made')} ${hasNames ? t('footer.names') : report.t('footer.noNames')}`,
  }
}

/** What the policy in use does to all sessions together. */
function verdict(
  { t, fleet }: FleetReportTexts,
  { sessions, policy, cached: { before, after }, comparison }: FleetReportFacts,
): Pick<ReportPage, 'headline' | 'tone'> {
  const { format } = fleet
  const isOff = !policy.enabled || policy.windowTurns <= 0
  const change = before === after ? 'same' : after < before ? 'saves' : 'costs'
  const kind = comparison === undefined ? 'unpriced' : isOff ? 'off' : change
  const [low, high] = comparison?.savedShare ?? [0, 0]
  return {
    headline: t(`headline.${kind}`, {
      policy: policyInWords(fleet.t, policy),
      count: sessions.length,
      before: format.money(before, after),
      after: format.money(after, before),
      share: format.share(Math.abs(before - after) / (before || 1)),
      ...range(fleet, kind === 'costs' ? [-high, -low] : [low, high]),
    }),
    tone: kind === 'saves' ? 'good' : kind === 'costs' ? 'warn' : 'plain',
  }
}

function detailOf(texts: FleetReportTexts, facts: FleetReportFacts): string[] {
  const { t, fleet, report } = texts
  const { policy, cached, worst } = facts
  // The worst session has the name that the report gives it.
  const renamed = (comparison: FleetComparison | undefined) => {
    const listed = facts.sessions.find(({ id }) => id === comparison?.worst?.id)
    const file = listed === undefined ? '' : nameOfSession(texts, facts, listed)
    return comparison && { ...comparison, worst: comparison.worst && { ...comparison.worst, file } }
  }
  const comparison = renamed(facts.comparison)
  const recommended = fleetSentences(fleet, {
    ...facts.fleet,
    comparison: renamed(facts.fleet.comparison),
  })
  const isOn = policy.enabled && policy.windowTurns > 0
  return applying([
    isOn &&
      report.t('detail.what', {
        window: policy.windowTurns,
        batch: batchNumber(policy),
      }),
    isOn &&
      comparison !== undefined &&
      cached.before > 0 &&
      worstSentence(fleet, comparison, 1 - worst / cached.before),
    facts.isRecommended
      ? t('isRecommended')
      : t('recommended', {
          sentence: applying([recommended.headline, recommended.worst]).join(' '),
        }),
    recommended.own,
    recommended.unpriced,
  ])
}

/** No masking, the policy in use, the recommended setting, and each session with its own. */
function settingsTable(
  { t, fleet }: FleetReportTexts,
  { cached, worst, comparison, fleet: all, policy, isRecommended }: FleetReportFacts,
): ReportTable {
  const { format } = fleet
  const { before } = cached
  const saved = (share: number, interval: Interval) =>
    t('settings.range', { share: format.share(share), ...range(fleet, interval) })
  const compared = (
    name: 'recommended' | 'inUse',
    setting: Parameters<typeof policyInWords>[1],
    costs: { readonly after: number; readonly worst: number },
    { sessions, costlierAtWorst, savedShare, savedAtWorst }: FleetComparison,
  ) => [
    t(`settings.${name}`, { policy: policyInWords(fleet.t, setting) }),
    format.money(costs.after, before),
    saved(1 - costs.after / before, savedShare),
    saved(1 - costs.worst / before, savedAtWorst),
    t('settings.count', { count: costlierAtWorst, all: sessions.length }),
  ]
  const rows = [[t('settings.none'), format.money(before, cached.after), '–', '–', '–']]
  if (comparison !== undefined && policy.enabled && policy.windowTurns > 0 && before > 0) {
    const costs = { after: cached.after, worst }
    rows.push(compared(isRecommended ? 'recommended' : 'inUse', policy, costs, comparison))
  }
  const { point, comparison: advised, savedByOwn } = all
  if (point !== undefined && advised !== undefined && !isRecommended) {
    const sum = (side: 'after' | 'worst') =>
      advised.sessions.reduce((total, session) => total + session[side], 0)
    const costs = { after: sum('after'), worst: sum('worst') }
    rows.push(compared('recommended', { ...point, enabled: true }, costs, advised))
  }
  if (savedByOwn !== undefined)
    rows.push([t('settings.own'), '–', '–', format.share(savedByOwn), '–'])
  const names = ['setting', 'cost', 'saved', 'worst', 'costlier'] as const
  return reportTable(
    t('settings.title'),
    rows,
    names.map((name, at) => [t(`settings.${name}`), (row) => row[at] ?? '', at > 0] as const),
  )
}

/** Every session, the one with the highest cost first. */
function sessionsTable(texts: FleetReportTexts, facts: FleetReportFacts): ReportTable {
  const { t, fleet } = texts
  const { number, money, change, share } = fleet.format
  return reportTable<ListedSession>(
    t('sessions.title'),
    facts.sessions.toSorted((one, other) => other.before - one.before),
    [
      [t('sessions.session'), (session) => nameOfSession(texts, facts, session)],
      ...(facts.models.length > 1
        ? [[t('sessions.model'), ({ model }: ListedSession) => model] as const]
        : []),
      [t('sessions.turns'), ({ measure }) => number(measure.turns), true],
      [t('sessions.requests'), ({ measure }) => number(measure.requests), true],
      [t('sessions.before'), ({ before, after }) => money(before, after), true],
      [t('sessions.after'), ({ before, after }) => money(after, before), true],
      [t('sessions.change'), ({ before, after }) => change(before, after), true],
      [t('sessions.worst'), ({ before, worst }) => change(before, worst), true],
      [t('sessions.lostUses'), ({ measure }) => number(measure.lostUses), true],
      [
        t('sessions.own'),
        ({ measure: { recommendation: own } }) => {
          if (own.state === 'do_not_mask') return t('sessions.doNotMask')
          if (own.state !== 'mask') return '–'
          const { windowTurns: window } = own.point
          const batch = batchNumber(own.point)
          return t('sessions.ownSetting', { window, batch, share: share(own.savedShare) })
        },
        true,
      ],
    ],
    [t('sessions.note')],
  )
}

/** Its file, if the user asks for names, else its place in the list. */
function nameOfSession(
  { t }: FleetReportTexts,
  { hasNames }: FleetReportFacts,
  { file, number, conversation, isOneOfSeveral }: ListedSession,
): string {
  if (!hasNames) return t('sessions.number', { number })
  return isOneOfSeveral ? t('sessions.conversation', { file, number: conversation + 1 }) : file
}
