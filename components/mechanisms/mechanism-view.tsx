import { useEffect } from 'react'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { comparisonOf } from '@/lib/state/costs/mechanisms'
import { hasClearings } from '@/lib/state/costs/shown-session'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { MechanismHeadline, MechanismTable } from './mechanism-table'
import { PictureMenu } from './picture-menu'

/** Every mechanism on the shown session, by default and at its cheapest settings, with a sentence that says what to do. */
export function MechanismView() {
  const { t, actions } = useView('mechanisms')
  const isCleared = usePlaygroundState(hasClearings)
  useEffect(() => {
    const ids = Object.keys(MECHANISM_FACTS)
    actions.compareMechanisms(ids.filter((id) => id !== 'as-it-ran' || isCleared))
  }, [actions, isCleared])
  const hasDocument = useDeferredState(({ read }) => read !== undefined)
  const { shown: comparison, isOld } = useShown(comparisonOf)
  const windowTurns = useDeferredState(({ policy }) => policy.windowTurns)
  const format = useDeferredState(({ read }) => read?.model.format)
  const note = (text: string) => <p className="p-4 text-soft">{text}</p>
  if (!hasDocument) return note(t('empty'))
  if (comparison === undefined)
    return note(t('pending', { done: 0, all: Object.keys(MECHANISM_FACTS).length - 1 }))
  if (comparison.requests === 0) return note(t('noRequests'))
  if (!comparison.hasResults) return note(t('noResults'))
  return (
    <div className="flex flex-col gap-3 overflow-y-auto p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <MechanismHeadline comparison={comparison} format={format} />
        <PictureMenu comparison={comparison} format={format} />
      </div>
      <MechanismTable {...{ comparison, isOld, windowTurns }} isOfSession />
      <p className="max-w-[80ch] text-soft text-sm">
        {isCleared && `${t('cleared')} `}
        {t('explain')}
      </p>
    </div>
  )
}
