import { ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { isOutdated } from '@/lib/state/document/selectors'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { useReportTexts } from '../cost/drawer/use-report-texts'
import { useDeferredState, usePlaygroundState, useShown } from '../playground-context'
import { useIsNarrow } from '../shell/use-is-narrow'
import { useFigureFormat } from '../use-figure-format'
import { type DrawerId, drawerId, openerId, useOpenDrawer } from './use-open-drawer'

/** Opens or closes a drawer from the footer. Its label summarises the drawer, faded while it belongs to an older text. */
export function DrawerOpener({
  drawer,
  children,
}: {
  readonly drawer: DrawerId
  readonly children: ReactNode
}) {
  const isNarrow = useIsNarrow()
  const [open, setOpen] = useOpenDrawer()
  const isOpen = open === drawer
  const isOld = usePlaygroundState(isOutdated)
  return (
    <button
      id={openerId(drawer)}
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen && isNarrow === false ? drawerId(drawer) : undefined}
      onClick={() => setOpen(isOpen ? undefined : drawer)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) setOpen(undefined)
      }}
      className={`-my-1.5 flex shrink-0 max-lg:my-0 max-lg:min-h-7 cursor-pointer select-none items-center gap-1.5 border-t-2 py-1.5 pr-1 pointer-coarse:min-h-11 ${isOpen ? 'border-accent' : 'border-transparent hover:border-ghost forced-colors:border-[Canvas]'}`}
    >
      <span className={isOld && drawer !== 'files' ? 'faded' : ''}>{children}</span>
      <ChevronUp
        className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        aria-hidden
      />
    </button>
  )
}

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

/** Opens the drawer of the cost; its label shows the change in cost. */
export function CostOpener() {
  return (
    <DrawerOpener drawer="cost">
      <CostLabel />
    </DrawerOpener>
  )
}

/** Change of the session's cost with caching, or of its tokens if a price is unknown. */
function CostLabel() {
  const t = useTranslations('drawer')
  const { format, rule } = useReportTexts()
  const { shown: figures } = useShown(figuresOf)
  if (figures === undefined || figures.requestCount === 0) return <Name>{t('cost')}</Name>
  const { before, after } = figures
  const isPriced = before.costs.cached !== undefined && after.costs.cached !== undefined
  const [first, second] = isPriced
    ? [before.costs.cached ?? 0, after.costs.cached ?? 0]
    : [before.tokens, after.tokens]
  const change = format.change(first, second)
  const hasGrown = second > first
  const tone = second === first ? 'text-soft' : hasGrown ? 'text-warn' : 'text-good'
  return (
    <>
      <span className="sr-only">
        {isPriced ? t('openCost', { change, rule }) : t('openTokens', { change })}
      </span>
      <span aria-hidden className="flex gap-1.5">
        <Name>{t('cost')}</Name>
        <span className={`font-medium ${tone}`}>
          {isPriced ? change : t('changedTokens', { change })}
        </span>
      </span>
    </>
  )
}

function Name({ children }: { readonly children: string }) {
  return <span className="font-medium text-ink">{children}</span>
}
