import { useTranslations } from 'use-intl'
import type { Interval } from '@/lib/core/fleet/resample'
import type { FleetFacts } from '@/lib/state/files/fleet-facts'
import { useFigureFormat } from '../use-figure-format'

export interface FleetSentences {
  readonly headline: string
  readonly detail: readonly string[]
  /** Explains the ranges. */
  readonly note: string | undefined
}

/** Returns a function that puts the recommendation for all sessions into words, for the page and the report. */
export function useFleetSentences(): (facts: FleetFacts) => FleetSentences {
  const t = useTranslations('fleet')
  const format = useFigureFormat()
  return (facts) => {
    const { sessions, unpriced, recommendation, comparison, savedByOwn } = facts
    const left = unpriced > 0 ? [t('unpriced', { count: unpriced })] : []
    const own = savedByOwn === undefined ? '' : format.share(savedByOwn)
    const range = ([low, high]: Interval) => ({ low: format.share(low), high: format.share(high) })
    switch (recommendation.state) {
      case 'mask': {
        if (comparison === undefined) throw new Error('A recommended setting is always compared.')
        const { costlier, costlierAtWorst, worst, savedShare, savedAtWorst } = comparison
        const { point, savedAtWorst: worstShare } = recommendation
        const given = ((savedByOwn ?? 0) - worstShare) * 100
        const setting = { window: point.windowTurns, batch: point.batchTurns, count: sessions }
        return {
          headline: t('mask', {
            ...setting,
            share: format.share(recommendation.savedShare),
            ...range(savedShare),
          }),
          detail: [
            t('again', {
              share: format.share(worstShare),
              ...range(savedAtWorst),
              count: costlierAtWorst,
              hasWorst: String(worst !== undefined),
              file: worst?.file ?? '',
              change: worst === undefined ? '' : format.change(worst.before, worst.worst),
            }) + (costlierAtWorst === 0 ? '' : ` ${t('once', { count: costlier })}`),
            given < 0.05
              ? t('ownEqual', { share: own })
              : t('own', {
                  share: own,
                  given: t('points', { value: format.number(Math.round(given * 10) / 10) }),
                }),
            ...left,
          ],
          note: t('interval'),
        }
      }
      case 'do_not_mask':
        return {
          headline: t('doNotMask', { count: sessions }),
          detail: [...(savedByOwn ? [t('ownOnly', { share: own })] : []), ...left],
          note: undefined,
        }
      case 'nothing_maskable':
        return {
          headline: t('nothing_maskable', { results: recommendation.results }),
          detail: left,
          note: undefined,
        }
      case 'no_results':
      case 'price_unknown':
        return {
          headline: t(sessions === 0 ? 'price_unknown' : recommendation.state),
          detail: left,
          note: undefined,
        }
    }
  }
}
