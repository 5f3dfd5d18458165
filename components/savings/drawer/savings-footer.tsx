'use client'

import { ChevronUp } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { replayOf } from '@/lib/state/savings'
import { usePlaygroundState } from '../../playground-context'
import { FooterBar } from '../../shell/footer-bar'
import { useIsNarrow } from '../../shell/use-is-narrow'
import { useLatest } from '../../ui/use-latest'
import { DRAWER_ID, OPENER_ID, useIsDrawerOpen } from './use-is-drawer-open'
import { useWriting } from './use-writing'

/** The last line of the page: opens the drawer of savings, and says what is in it. */
export function SavingsFooter() {
  const isNarrow = useIsNarrow()
  const [isOpen, setIsOpen] = useIsDrawerOpen()
  return (
    <FooterBar>
      <button
        id={OPENER_ID}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen && isNarrow === false ? DRAWER_ID : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setIsOpen(false)
        }}
        className={`-my-1.5 flex cursor-pointer select-none items-center gap-1.5 border-t-2 py-1.5 pr-1 pointer-coarse:min-h-11 ${isOpen ? 'border-accent' : 'border-transparent hover:border-ghost'}`}
      >
        <SavingsLabel />
        <ChevronUp
          className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
          aria-hidden
        />
      </button>
    </FooterBar>
  )
}

/** What the session's cost changes by with caching; its tokens where no price is known. */
function SavingsLabel() {
  const t = useTranslations('drawer')
  const { format } = useWriting()
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const latest = useLatest(usePlaygroundState(replayOf))
  const replayed = hasDocument ? latest : undefined
  const name = <span className="font-medium text-ink">{t('savings')}</span>
  if (replayed === undefined || replayed.requests.length === 0) return name
  const { before, after } = replayed
  const isPriced = before.costs.cached !== undefined && after.costs.cached !== undefined
  const [first, second] = isPriced
    ? [before.costs.cached ?? 0, after.costs.cached ?? 0]
    : [before.tokens, after.tokens]
  const change = format.change(first, second)
  const tone = second === first ? 'text-soft' : second < first ? 'text-good' : 'text-warn'
  return (
    <>
      <span className="sr-only">{t(isPriced ? 'open' : 'openTokens', { change })}</span>
      <span aria-hidden className="flex gap-1.5">
        {name}
        <span className={`font-medium ${tone}`}>{change}</span>
      </span>
    </>
  )
}
