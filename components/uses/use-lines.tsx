import { groupedUsesOf, type ShownUse } from '@/lib/state/uses/later-uses'
import { useDeferredState, useView } from '../playground-context'
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
