/** Puts the recommendation for all sessions into words, for the page and the report. */
import type { FleetComparison, Interval } from '@/lib/core/fleet/recommend-fleet'
import type { FleetFacts } from '@/lib/state/files/fleet-facts'
import type { FleetTexts } from './fleet-texts'

export interface FleetSentences {
  readonly headline: string
  /** What it does to single sessions, and what their own settings would save; empty without a setting. */
  readonly worst: string | undefined
  readonly own: string | undefined
  readonly unpriced: string | undefined
  /** Explains the ranges. */
  readonly note: string | undefined
}

export function fleetSentences(texts: FleetTexts, facts: FleetFacts): FleetSentences {
  const { t, format } = texts
  const { sessions, unpriced, recommendation, comparison, savedByOwn } = facts
  const left = unpriced > 0 ? t('unpriced', { count: unpriced }) : undefined
  const own = savedByOwn === undefined ? '' : format.share(savedByOwn)
  const none = { worst: undefined, own: undefined, unpriced: left, note: undefined }
  switch (recommendation.state) {
    case 'mask': {
      if (comparison === undefined) throw new Error('A recommended setting is always compared.')
      const { point, savedAtWorst } = recommendation
      const given = ((savedByOwn ?? 0) - savedAtWorst) * 100
      return {
        headline: t('mask', {
          window: point.windowTurns,
          batch: point.batchTurns,
          count: sessions,
          share: format.share(recommendation.savedShare),
          ...range(texts, comparison.savedShare),
        }),
        worst: worstSentence(texts, comparison, savedAtWorst),
        own:
          given < 0.05
            ? t('ownEqual', { share: own })
            : t('own', {
                share: own,
                given: t('points', { value: format.number(Math.round(given * 10) / 10) }),
              }),
        unpriced: left,
        note: t('interval'),
      }
    }
    case 'do_not_mask':
      return {
        ...none,
        headline: t('doNotMask', { count: sessions }),
        own: savedByOwn ? t('ownOnly', { share: own }) : undefined,
      }
    case 'nothing_maskable':
      return { ...none, headline: t('nothing_maskable', { results: recommendation.results }) }
    case 'no_results':
    case 'price_unknown':
      return { ...none, headline: t(sessions === 0 ? 'price_unknown' : recommendation.state) }
  }
}

/** What a setting saves if everything lost is fetched again, and how many sessions get more expensive. */
export function worstSentence(
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

export function range({ format }: Pick<FleetTexts, 'format'>, [low, high]: Interval) {
  return { low: format.share(low), high: format.share(high) }
}
