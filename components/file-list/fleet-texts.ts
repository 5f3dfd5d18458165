/** Puts all sessions and the recommendation for them into words, for the page. */
import type { useTranslations } from 'use-intl'
import type { FleetComparison, Interval } from '@/lib/core/fleet/recommend-fleet'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { batchNumber, type MaskPolicy } from '@/lib/core/policy/policy'
import type { FigureFormat } from '@/lib/core/report/figure-format'
import { MARK_KINDS, markKind, type ScatterChart } from '@/lib/core/report/scatter-layout'
import type { FleetFacts, ListedSession } from '@/lib/state/files/listed-sessions'

/** Texts on all sessions, and number formats. */
export interface FleetTexts {
  readonly t: ReturnType<typeof useTranslations<'fleet'>>
  readonly format: FigureFormat
}

/** Chart of the cost of each session before and after masking. */
export function sessionsChart(
  { t, format }: FleetTexts,
  points: readonly BeforeAfter[],
  policy: MaskPolicy,
): ScatterChart {
  const kinds = points.map(markKind)
  return {
    title: t('chart.title', { policy: policyInWords(t, policy) }),
    points,
    formatTick: format.shortMoney,
    axes: { before: t('chart.before'), after: t('chart.after') },
    regions: { cheaper: t('chart.regions.cheaper'), costlier: t('chart.regions.costlier') },
    legend: MARK_KINDS.flatMap((kind) => {
      const count = kinds.filter((one) => one === kind).length
      return count === 0 ? [] : [{ kind, label: t(`chart.${kind}`, { count }) }]
    }),
  }
}

function policyInWords(
  t: FleetTexts['t'],
  { enabled, windowTurns, ...rest }: Pick<MaskPolicy, 'enabled' | 'windowTurns' | 'batchTurns'>,
): string {
  return t('chart.policy', {
    isOn: enabled && windowTurns > 0 ? 'yes' : 'no',
    window: windowTurns,
    batch: batchNumber(rest),
  })
}

export function describeSession({ t, format }: FleetTexts, session: ListedSession): string {
  const { file, conversation, before, after, isOneOfSeveral, measure } = session
  return t('chart.session', {
    file,
    hasOthers: String(isOneOfSeveral),
    conversation: conversation + 1,
    before: format.money(before, after),
    after: format.money(after, before),
    change: format.change(before, after),
    requests: measure.requests,
  })
}

/**
 * The recommendation for all sessions: `worst` is what it does to single ones, `own` what their own settings would save,
 * and `note` explains the ranges.
 */
export function fleetSentences(texts: FleetTexts, facts: FleetFacts) {
  const { t, format } = texts
  const { sessions: count, recommendation, comparison, savedByOwn } = facts
  const unpriced = facts.unpriced > 0 ? t('unpriced', { count: facts.unpriced }) : undefined
  const none = { worst: undefined, own: undefined, unpriced, note: undefined }
  const own = { share: savedByOwn === undefined ? '' : format.share(savedByOwn) }
  if (recommendation.state === 'do_not_mask')
    return {
      ...none,
      headline: t('doNotMask', { count }),
      own: savedByOwn ? t('ownOnly', own) : undefined,
    }
  if (recommendation.state === 'nothing_maskable')
    return { ...none, headline: t('nothing_maskable', { results: recommendation.results }) }
  if (recommendation.state !== 'mask') {
    const hasNone = recommendation.state === 'no_results' && count > 0
    return { ...none, headline: t(hasNone ? 'no_results' : 'price_unknown') }
  }
  if (comparison === undefined) throw new Error('A recommended setting is always compared.')
  const { point, savedAtWorst, savedShare } = recommendation
  const points = ((savedByOwn ?? 0) - savedAtWorst) * 100
  const given = t('points', { value: format.number(Math.round(points * 10) / 10) })
  return {
    headline: t('mask', {
      window: point.windowTurns,
      batch: batchNumber(point),
      count,
      share: format.share(savedShare),
      ...range(texts, comparison.savedShare),
    }),
    worst: worstSentence(texts, comparison, savedAtWorst),
    own: points < 0.05 ? t('ownEqual', own) : t('own', { ...own, given }),
    unpriced,
    note: t('interval'),
  }
}

/** What a setting saves if everything lost is fetched again, and how many sessions get more expensive. */
function worstSentence(
  texts: FleetTexts,
  { costlier, costlierAtWorst, worst, savedAtWorst }: FleetComparison,
  share: number,
): string {
  const { t, format } = texts
  const again = t('again', {
    share: format.share(share),
    ...range(texts, savedAtWorst),
    count: costlierAtWorst,
    hasWorst: String(worst !== undefined),
    file: worst?.file ?? '',
    change: worst === undefined ? '' : format.change(worst.before, worst.worst),
  })
  return costlierAtWorst === 0 ? again : `${again} ${t('once', { count: costlier })}`
}

function range({ format }: Pick<FleetTexts, 'format'>, [low, high]: Interval) {
  return { low: format.share(low), high: format.share(high) }
}
