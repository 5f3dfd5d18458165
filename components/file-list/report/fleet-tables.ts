/** The tables of the report on all sessions. */
import type { useTranslations } from 'use-intl'
import type { FleetComparison, Interval } from '@/lib/core/fleet/recommend-fleet'
import type { ReportTable } from '@/lib/core/report/report-page'
import type { FleetReportFacts } from '@/lib/state/files/fleet-report'
import type { ListedSession } from '@/lib/state/files/fleet-sessions'
import type { ReportTexts } from '../../cost/drawer/report/report-sentences'
import { range } from '../fleet-sentences'
import { type FleetTexts, policyInWords } from '../fleet-texts'

/** The texts of the report, of the panel on all sessions, and of the report on one session. */
export interface FleetReportTexts {
  readonly t: ReturnType<typeof useTranslations<'fleetReport'>>
  readonly fleet: FleetTexts
  readonly report: Omit<ReportTexts, 'rule'>
}

/** No masking, the policy in use, the recommended setting, and each session with its own. */
export function settingsTable(
  { t, fleet }: FleetReportTexts,
  { cached, worst, comparison, fleet: all, policy, isRecommended }: FleetReportFacts,
): ReportTable {
  const { format } = fleet
  const { before } = cached
  const saved = (share: number, interval: Interval) =>
    t('settings.range', { share: format.share(share), ...range(fleet, interval) })
  const compared = (
    name: string,
    costs: { readonly after: number; readonly worst: number },
    { sessions, costlierAtWorst, savedShare, savedAtWorst }: FleetComparison,
  ) => [
    name,
    format.money(costs.after, before),
    saved(1 - costs.after / before, savedShare),
    saved(1 - costs.worst / before, savedAtWorst),
    t('settings.count', { count: costlierAtWorst, all: sessions.length }),
  ]
  const rows = [[t('settings.none'), format.money(before, cached.after), '–', '–', '–']]
  if (comparison !== undefined && policy.enabled && policy.windowTurns > 0 && before > 0)
    rows.push(
      compared(
        t(isRecommended ? 'settings.recommended' : 'settings.inUse', {
          policy: policyInWords(fleet.t, policy),
        }),
        { after: cached.after, worst },
        comparison,
      ),
    )
  const { point, comparison: advised, savedByOwn } = all
  if (point !== undefined && advised !== undefined && !isRecommended) {
    const { windowTurns, batchTurns } = point
    const name = policyInWords(fleet.t, { enabled: true, windowTurns, batchTurns })
    rows.push(compared(t('settings.recommended', { policy: name }), sumsOf(advised), advised))
  }
  if (savedByOwn !== undefined)
    rows.push([t('settings.own'), '–', '–', format.share(savedByOwn), '–'])
  return {
    title: t('settings.title'),
    columns: [
      { label: t('settings.setting'), isNumber: false },
      { label: t('settings.cost'), isNumber: true },
      { label: t('settings.saved'), isNumber: true },
      { label: t('settings.worst'), isNumber: true },
      { label: t('settings.costlier'), isNumber: true },
    ],
    rows,
    notes: [],
  }
}

function sumsOf({ sessions }: FleetComparison) {
  return {
    after: sessions.reduce((total, { after }) => total + after, 0),
    worst: sessions.reduce((total, { worst }) => total + worst, 0),
  }
}

/** Every session, the one with the highest cost first. */
export function sessionsTable(texts: FleetReportTexts, facts: FleetReportFacts): ReportTable {
  const { t, fleet } = texts
  const { format } = fleet
  const hasModels = facts.models.length > 1
  const number = (label: string) => ({ label, isNumber: true })
  return {
    title: t('sessions.title'),
    columns: [
      { label: t('sessions.session'), isNumber: false },
      ...(hasModels ? [{ label: t('sessions.model'), isNumber: false }] : []),
      number(t('sessions.turns')),
      number(t('sessions.requests')),
      number(t('sessions.before')),
      number(t('sessions.after')),
      number(t('sessions.change')),
      number(t('sessions.worst')),
      number(t('sessions.lostUses')),
      number(t('sessions.own')),
    ],
    rows: facts.sessions
      .toSorted((one, other) => other.before - one.before)
      .map((session) => {
        const { before, after, worst, model, measure } = session
        return [
          nameOfSession(texts, facts, session),
          ...(hasModels ? [model] : []),
          format.number(measure.turns),
          format.number(measure.requests),
          format.money(before, after),
          format.money(after, before),
          format.change(before, after),
          format.change(before, worst),
          format.number(measure.lostUses),
          ownSetting(texts, session),
        ]
      }),
    notes: [t('sessions.note')],
  }
}

/** Its file, if the user asks for names, else its place in the list. */
export function nameOfSession(
  { t }: FleetReportTexts,
  { hasNames }: FleetReportFacts,
  { file, number, conversation, isOneOfSeveral }: ListedSession,
): string {
  if (!hasNames) return t('sessions.number', { number })
  return isOneOfSeveral ? t('sessions.conversation', { file, number: conversation + 1 }) : file
}

function ownSetting(
  { t, fleet }: FleetReportTexts,
  { measure: { recommendation: own } }: ListedSession,
): string {
  if (own.state === 'do_not_mask') return t('sessions.doNotMask')
  if (own.state !== 'mask') return '–'
  return t('sessions.ownSetting', {
    window: own.point.windowTurns,
    batch: own.point.batchTurns,
    share: fleet.format.share(own.savedShare),
  })
}
