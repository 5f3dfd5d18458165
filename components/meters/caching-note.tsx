import { useTranslations } from 'use-intl'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { costTermsOf } from '@/lib/state/costs/cost-terms'
import { useDeferredState, useView } from '../playground-context'

/** Why a cost is unknown, or how often the cache is invalidated, in a few words. */
export function CachingAside({ figures }: { readonly figures: ReplayFigures | undefined }) {
  const t = useTranslations('cost.note')
  const terms = useDeferredState(costTermsOf)
  if (figures === undefined || terms === undefined) return t('unknown')
  const { before, after, prefixBreaks } = figures
  if (before.costs.cached === undefined || after.costs.cached === undefined)
    return t('priceUnknown', { model: terms.model.name })
  const isEnded = terms.model.listed?.havePricesEnded === true
  if (isEnded) return <span className="text-warn">{t('ended')}</span>
  const isCached = terms.terms.rule.kind !== 'none'
  return isCached && prefixBreaks > 0 && t('breaks', { n: prefixBreaks })
}

/** Explains the session cost with caching. */
export function CachingNote({ figures }: { readonly figures: ReplayFigures | undefined }) {
  const { t, format } = useView('cost.note')
  const terms = useDeferredState(costTermsOf)
  const policy = useDeferredState((state) => state.policy)
  const charged = useDeferredState(chargeOfSession)
  if (figures === undefined || terms === undefined) return <p>{t('unknown')}</p>
  const { before, after, prefixBreaks: breaks, breakEven, requestCount } = figures
  const { listed } = terms.model
  const cost = charged?.charge.inputCost
  const isMasked = after.tokens !== before.tokens
  const isKnown = before.costs.cached !== undefined && after.costs.cached !== undefined
  const isMoreExpensive = isKnown && (after.costs.cached ?? 0) > (before.costs.cached ?? 0)

  return (
    <div className="flex flex-col">
      {listed?.havePricesEnded === true && listed.pricesUntil !== undefined && (
        <p className="font-medium text-warn">
          {t('pricesEnded', { model: listed.name, date: format.day(listed.pricesUntil) })}
        </p>
      )}
      <p>{why()}</p>
      {isKnown && isMasked && !isMoreExpensive && <p>{whether()}</p>}
      {cost !== undefined && (
        <p>{t('charged', { cost: format.money(cost, before.costs.cached) })}</p>
      )}
    </div>
  )

  function why(): string {
    if (!isKnown) return t('priceUnknown', { model: terms?.model.name ?? '' })
    if (terms?.terms.rule.kind === 'none')
      return t(terms.ruleOrigin === 'unknown' ? 'ruleUnknown' : 'noCache')
    if (!isMasked) return t('nothingMasked')
    if (breaks === 0) return t('unbroken')
    return policy.batchTurns === 1
      ? t('slides', { n: breaks })
      : t('steps', { n: breaks, batch: policy.batchTurns })
  }

  function whether(): string {
    if (breakEven.state !== 'from_request') return t('even')
    const from = breakEven.request + 1
    return from === 1
      ? t('paysAlways')
      : t('pays', { from: format.number(from), all: format.number(requestCount) })
  }
}
