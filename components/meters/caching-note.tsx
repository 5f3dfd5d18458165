import { useTranslations } from 'use-intl'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { costTermsOf } from '@/lib/state/costs/cost-terms'
import { type AdvisedPoint, adviceOf } from '@/lib/state/costs/savings-advice'
import { useLateState, usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { useLatest } from '../ui/use-latest'
import { useFigureFormat } from '../use-figure-format'

/** Explains the session cost with caching, and offers cheaper settings. */
export function CachingNote({ figures }: { readonly figures: ReplayFigures | undefined }) {
  const t = useTranslations('savings.note')
  const format = useFigureFormat()
  const terms = useLateState(costTermsOf)
  const policy = useLateState((state) => state.policy)
  if (figures === undefined || terms === undefined) return <p>{t('unknown')}</p>
  const { before, after, prefixBreaks: breaks, breakEven, requestCount } = figures
  const { listed } = terms.model
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
      {isKnown && isMasked && (
        <p className={isMoreExpensive ? 'font-medium text-warn' : undefined}>{whether()}</p>
      )}
      <AdviceLine />
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
    if (isMoreExpensive) return t('moreExpensive')
    if (breakEven.state !== 'from_request') return t('even')
    const from = breakEven.request + 1
    return from === 1
      ? t('paysAlways')
      : t('pays', { from: format.number(from), all: format.number(requestCount) })
  }
}

function AdviceLine() {
  const t = useTranslations('savings.note')
  const format = useFigureFormat()
  const { actions } = usePlayground()
  const current = useLateState(adviceOf)
  // Until a sweep has ended, the advice before it stays, dimmed and without its button.
  const advice = useLatest(current)
  const dimmed = current === undefined ? 'transition-opacity opacity-45' : undefined
  const policy = useLateState((state) => state.policy)
  const smallest = useLateState((state) => state.smallestWindow)
  switch (advice?.state) {
    case undefined:
    case 'none':
      return null
    case 'best':
      return <p className={dimmed}>{t('best', { smallest })}</p>
    case 'use':
      return (
        <p className={dimmed}>
          {t.rich(advice.point.windowTurns === policy.windowTurns ? 'useBatch' : 'useBoth', {
            ...settings(advice.point),
            b: (chunks) => <strong className="font-semibold text-good">{chunks}</strong>,
          })}{' '}
          {current !== undefined && (
            <Button kind="link" onClick={() => use(advice.point)}>
              {t('use')}
            </Button>
          )}
        </p>
      )
    case 'do_not_mask':
      return (
        <p className={dimmed}>
          <span className="font-medium text-ink">{t('doNotMask', { smallest })}</span>{' '}
          {advice.cheapest !== undefined && t('cheapest', settings(advice.cheapest))}{' '}
          {policy.enabled && (
            <Button kind="link" onClick={turnOff}>
              {t('turnOff')}
            </Button>
          )}
        </p>
      )
  }

  function settings({ windowTurns, batchTurns, cost }: AdvisedPoint) {
    return {
      window: windowTurns,
      batch: batchTurns,
      change: format.change(cost.before, cost.after),
    }
  }

  function use({ windowTurns, batchTurns }: AdvisedPoint) {
    actions.endGesture()
    actions.changePolicy({ windowTurns, batchTurns, enabled: true })
  }

  function turnOff() {
    actions.endGesture()
    actions.changePolicy({ enabled: false })
  }
}
