import { conversationOf, isOutdated } from '@/lib/state/document/selectors'
import { groupedUsesOf, type ShownUse } from '@/lib/state/uses/later-uses'
import { distancesOf } from '@/lib/state/uses/risk'
import { useDeferredState, useShown, useView } from '../playground-context'
import { QuietButton } from '../ui/button'

/** Uses listed at one place; the others are counted. */
const MOST_LINES = 3

/** The answers that use a result again, or the results that an answer uses, each one click away. */
export function UseLines(props: { readonly result: number } | { readonly answer: number }) {
  const { t, store, actions } = useView('uses.places')
  const uses = useDeferredState((state) => {
    const places = groupedUsesOf(state)
    return 'result' in props
      ? places?.ofResult.get(props.result)
      : places?.ofAnswer.get(props.answer)
  })
  if (uses === undefined) return null
  // Lost ones first, then the farthest.
  const sorted = uses.toSorted(
    (a, b) => Number(b.isLost) - Number(a.isLost) || b.use.distance - a.use.distance,
  )
  const isOfResult = 'result' in props
  return (
    <ul className="mt-1 text-soft text-sm">
      {sorted.slice(0, MOST_LINES).map(({ use, isLost }: ShownUse) => (
        <li
          key={`${use.term} ${use.message}`}
          className={`flex items-baseline gap-1.5 ${isLost ? 'text-bad' : ''}`}
        >
          <span aria-hidden>{isOfResult ? '↷' : '↶'}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {t.rich(isOfResult ? 'again' : 'read', {
              isLost: isLost ? 'yes' : 'no',
              turn: isOfResult ? use.turn + use.distance + 1 : use.turn + 1,
              a: (chunks) => <QuietButton onClick={() => goTo(use)}>{chunks}</QuietButton>,
            })}
            <span className="font-mono">{use.term}</span>
          </span>
        </li>
      ))}
      {sorted.length > MOST_LINES && (
        <li className="pl-5 text-faint">{t('more', { count: sorted.length - MOST_LINES })}</li>
      )}
    </ul>
  )

  function goTo({ message, result }: ShownUse['use']) {
    if (isOfResult) return actions.select(message, undefined, 'timeline')
    const { read, conversation } = store.getState()
    const at = read?.model.conversations[conversation]?.results[result]?.message
    if (at !== undefined) actions.select(at, result, 'timeline')
  }
}

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
