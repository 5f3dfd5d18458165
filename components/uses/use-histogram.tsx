import { conversationOf, isOutdated } from '@/lib/state/document/selectors'
import { distancesOf } from '@/lib/state/uses/risk'
import { useDeferredState, useShown, useView } from '../playground-context'

/** Later uses by distance, over the slider of the window: a window of as many turns keeps those to its left. */
export function UseHistogram() {
  const { t, format } = useView('uses.histogram')
  const turns = useDeferredState((state) => conversationOf(state)?.turnCount ?? 0)
  const { shown } = useShown(distancesOf)
  const isOld = useDeferredState(isOutdated)
  if (shown === undefined || shown.counts.length === 0 || turns === 0) return null
  const { counts, lost, most } = shown
  const highest = Math.sqrt(Math.max(...counts))
  /** One path for all bars, as wide as a turn of the slider; heights grow with the square root. */
  const bars = (of: readonly number[]) =>
    of
      .map((count, distance) => {
        if (count === 0) return ''
        const x = ((distance - 0.5) / turns) * 1000
        const width = Math.max(2, 800 / turns)
        const height = Math.max(12, (Math.sqrt(count) / highest) * 100)
        return `M${x.toFixed(1)} 100v${-height.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}z`
      })
      .join('')
  const all = counts.reduce((total, count) => total + count, 0)
  const share = format.share(shown.share)
  return (
    <div className={`mt-1 ${isOld ? 'faded' : ''}`}>
      <svg
        role="img"
        aria-label={t('label', {
          uses: all,
          share,
          turns: most,
          lost: lost.reduce((total, count) => total + count, 0),
        })}
        viewBox="0 0 1000 100"
        preserveAspectRatio="none"
        className="h-5 w-full"
      >
        <path d={bars(counts)} className="fill-ghost/50" />
        <path d={bars(lost)} className="fill-bad" />
      </svg>
      <p className="mt-1 text-soft text-sm">
        {t('sentence', {
          share,
          turns: most,
          farthest: counts.length - 1,
          isAll: most === counts.length - 1 ? 'yes' : 'no',
        })}
      </p>
    </div>
  )
}
