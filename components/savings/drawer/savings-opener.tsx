'use client'

import { useTranslations } from 'use-intl'
import { replayOf } from '@/lib/state/savings'
import { DrawerOpener } from '../../drawer/drawer-opener'
import { usePlaygroundState } from '../../playground-context'
import { useLatest } from '../../ui/use-latest'
import { useWriting } from './use-writing'

/** Opens the drawer of savings, and says what is in it. */
export function SavingsOpener() {
  return (
    <DrawerOpener drawer="savings">
      <SavingsLabel />
    </DrawerOpener>
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
