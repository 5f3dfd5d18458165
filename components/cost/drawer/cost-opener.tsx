'use client'

import { useTranslations } from 'use-intl'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { DrawerOpener } from '../../drawer/drawer-opener'
import { useShown } from '../../playground-context'
import { useReportTexts } from './use-report-texts'

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
