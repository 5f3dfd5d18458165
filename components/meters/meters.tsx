import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { figuresOf, measureOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlaygroundState } from '../playground-context'
import { useFigureFormat } from '../use-figure-format'
import { Announcement } from './announcement'
import { LazyHowCounted } from './lazy-how-counted'
import { RequestFigure } from './request-figure'
import { SessionFigures } from './session-figures'
import { Verdict } from './verdict'

export interface MetersProps {
  /** Additional figures in the same row. */
  readonly children?: ReactNode
}

/** Effect of the policy on the next request and on the session. */
export function Meters({ children }: MetersProps) {
  const t = useTranslations('meters')
  return (
    <section aria-label={t('label')} className="relative">
      <CountingBar />
      <Verdict />
      <div className="-mx-px flex flex-wrap gap-y-1 py-0.5 sm:*:border-l">
        <SessionFigures>
          {/* Made here, so that a step of a slider does not redraw it. */}
          <RequestFigure details={<LazyHowCounted />} />
        </SessionFigures>
        {children}
      </div>
      <CostAnnouncement />
    </section>
  )
}

/** A thin progress bar at the top edge while tokens are counted. */
function CountingBar() {
  const t = useTranslations('meters')
  const counting = usePlaygroundState((state) => state.counting)
  if (counting === undefined) return null
  return (
    <div
      role="progressbar"
      aria-label={t('counting')}
      aria-valuenow={Math.round(counting * 100)}
      className="absolute inset-x-0 top-0 h-0.5 overflow-hidden"
    >
      <div
        className="h-full bg-accent transition-[width] duration-150"
        style={{ width: `${counting * 100}%` }}
      />
    </div>
  )
}

/** Announces the figures to screen readers in one sentence. */
function CostAnnouncement() {
  const t = useTranslations('meters')
  const format = useFigureFormat()
  const measure = useDeferredState(measureOf)
  const figures = useDeferredState(figuresOf)
  const rule = useDeferredState(knownRuleOf)
  if (measure === undefined) return <Announcement sentence="" />
  const next = t('announce', {
    after: format.number(measure.tokens.after),
    before: format.number(measure.tokens.before),
    change: tokenNote(measure.tokens),
    masked: format.number(measure.maskedResults),
    results: format.number(measure.results),
  })
  const cached = figures && [figures.after.costs.cached, figures.before.costs.cached]
  const session =
    cached === undefined || cached.includes(undefined)
      ? ''
      : t('announceSession', {
          rule,
          after: format.money(cached[0], cached[1]),
          before: format.money(cached[1], cached[0]),
        })
  return <Announcement sentence={`${next} ${session}`.trim()} />

  function tokenNote({ before, after }: BeforeAfter): string {
    if (after === before) return t('sameTokens')
    return after < before
      ? t('fewerTokens', { n: before - after })
      : t('moreTokens', { n: after - before })
  }
}
