import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { requestOf, shownMeasureOf } from '@/lib/state/request-view'
import { sessionOf } from '@/lib/state/savings'
import { usePlaygroundState } from '../playground-context'
import { useLatest } from '../ui/use-latest'
import { CountingBar } from './counting-bar'
import { RequestFigure } from './request-figure'
import { SavingsAnnouncement } from './savings-announcement'
import { SessionFigures } from './session-figures'

export interface MetersProps {
  /** More figures for the same row. */
  readonly children?: ReactNode
}

/** What the policy does to the request that would be sent next, and to the whole session. */
export function Meters({ children }: MetersProps) {
  const t = useTranslations('meters')
  const measure = usePlaygroundState(shownMeasureOf)
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const index = usePlaygroundState((state) => state.request)
  const isLookingBack = usePlaygroundState((state) => requestOf(state) !== undefined)
  const count = usePlaygroundState((state) => sessionOf(state)?.requests.length ?? 0)
  const latest = useLatest(measure)
  const shown = hasDocument ? (measure ?? latest) : undefined
  return (
    <section aria-label={t('label')} className="relative">
      <CountingBar />
      <div className="-mx-px flex flex-wrap gap-y-4 py-4 *:border-l">
        <RequestFigure
          title={
            isLookingBack ? t('requestOf', { request: (index ?? 0) + 1, count }) : t('nextRequest')
          }
          measure={shown}
          isOld={measure === undefined && shown !== undefined}
        />
        <SessionFigures />
        {children}
      </div>
      <SavingsAnnouncement />
    </section>
  )
}
