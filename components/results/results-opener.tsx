'use client'

import { useTranslations } from 'use-intl'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { DrawerOpener } from '../drawer/drawer-opener'
import { useDeferredState } from '../playground-context'
import { useFigureFormat } from '../use-figure-format'

/** Opens the table of results. Its label counts them. */
export function ResultsOpener() {
  const t = useTranslations('results')
  const format = useFigureFormat()
  const count = useDeferredState((state) => shownDecisionsOf(state)?.[state.conversation]?.length)
  return (
    <DrawerOpener drawer="results">
      <span className="sr-only">{count === undefined ? t('title') : t('open', { count })}</span>
      <span aria-hidden className="flex gap-1.5">
        <span className="font-medium text-ink">{t('title')}</span>
        {count !== undefined && <span>{format.number(count)}</span>}
      </span>
    </DrawerOpener>
  )
}
