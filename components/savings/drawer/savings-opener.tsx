'use client'

import { useTranslations } from 'use-intl'
import { figuresOf } from '@/lib/state/costs/session-replay'
import { DrawerOpener } from '../../drawer/drawer-opener'
import { useLateState } from '../../playground-context'
import { useLatest } from '../../ui/use-latest'
import { useReportTexts } from './use-report-texts'

/** Opens the Savings drawer; its label shows the change in cost. */
export function SavingsOpener() {
  return (
    <DrawerOpener drawer="savings">
      <SavingsLabel />
    </DrawerOpener>
  )
}

/** Change of the session's cost with caching, or of its tokens if a price is unknown. */
function SavingsLabel() {
  const t = useTranslations('drawer')
  const { format, rule } = useReportTexts()
  const hasDocument = useLateState(({ read }) => read !== undefined)
  const latest = useLatest(useLateState(figuresOf))
  const figures = hasDocument ? latest : undefined
  if (figures === undefined || figures.requestCount === 0) return <Name>{t('savings')}</Name>
  const { before, after } = figures
  const isPriced = before.costs.cached !== undefined && after.costs.cached !== undefined
  const [first, second] = isPriced
    ? [before.costs.cached ?? 0, after.costs.cached ?? 0]
    : [before.tokens, after.tokens]
  const change = format.change(first, second)
  const hasGrown = second > first
  const tone = second === first ? 'text-soft' : hasGrown ? 'text-warn' : 'text-good'
  const spoken = isPriced
    ? t(hasGrown ? 'openCost' : 'openSavings', { change, rule })
    : t(hasGrown ? 'openTokens' : 'openFewerTokens', { change })
  return (
    <>
      <span className="sr-only">{spoken}</span>
      <span aria-hidden className="flex gap-1.5">
        <Name>{t(!hasGrown ? 'savings' : isPriced ? 'cost' : 'tokens')}</Name>
        <span className={`font-medium ${tone}`}>
          {hasGrown || first === 0 ? change : format.share(1 - second / first)}
        </span>
      </span>
    </>
  )
}

function Name({ children }: { readonly children: string }) {
  return <span className="font-medium text-ink">{children}</span>
}
