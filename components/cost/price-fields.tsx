import { useTranslations } from 'use-intl'
import type { TieredPrice } from '@/lib/core/replay/price-book'
import { PRICE_KINDS, type PriceKind } from '@/lib/core/replay/price-sheet'
import type { SessionCostTerms } from '@/lib/state/costs/cost-terms'
import { AmountField } from '../numbers/amount-field'
import { usePlayground } from '../playground-context'
import { useFigureFormat } from '../use-figure-format'

export function PriceFields({ terms }: { readonly terms: SessionCostTerms }) {
  const t = useTranslations('cost.prices')
  const format = useFigureFormat()
  const { actions } = usePlayground()
  const { model, prices, family } = terms
  const isCached = terms.terms.rule.kind !== 'none'

  return (
    <>
      {PRICE_KINDS.map((kind) => (
        <AmountField
          key={kind}
          label={t(`kinds.${kind}`)}
          value={prices[kind]?.price.base}
          digits={6}
          prefix="$"
          onValueChange={(value) => actions.changeModelOverrides(model.key, { [kind]: value })}
          origin={originOf(kind)}
          reset={
            model.overrides?.[kind] === undefined
              ? undefined
              : t('reset', { label: t(`kinds.${kind}`) })
          }
          onReset={() => actions.changeModelOverrides(model.key, { [kind]: undefined })}
        />
      ))}
      {model.listed?.changesByHour === true && (
        <p className="text-soft text-sm">{t('changesByHour')}</p>
      )}
      {model.listed?.overlay !== undefined && (
        <p className="text-soft text-sm">
          {t.rich('overlay', {
            isQuoted: model.listed.overlay.isQuoted === true ? 'yes' : 'no',
            date: format.day(model.listed.overlay.date),
            a: (chunks) => (
              <a
                href={model.listed?.overlay?.source}
                target="_blank"
                rel="noreferrer"
                className="text-accent underline decoration-1 underline-offset-3"
              >
                {chunks}
              </a>
            ),
          })}
        </p>
      )}
      {model.listed?.pricesUntil !== undefined && (
        <p className={`text-sm ${model.listed.havePricesEnded ? 'text-warn' : 'text-soft'}`}>
          {t(model.listed.havePricesEnded ? 'ended' : 'until', {
            date: format.day(model.listed.pricesUntil),
          })}
        </p>
      )}
    </>
  )

  function originOf(kind: PriceKind): string {
    const price = prices[kind]
    if (price === undefined) {
      return isCached || kind === 'input' || kind === 'output' ? t('unknown') : t('notCached')
    }
    switch (price.origin) {
      case 'user':
        return t('origins.user')
      case 'price_data':
        return [
          t(model.listed?.overlay === undefined ? 'origins.price_data' : 'origins.overlay', {
            provider: model.providerName ?? '',
          }),
          tiers(price.price),
        ]
          .filter(Boolean)
          .join('; ')
      case 'cache_rule':
        return t('origins.cache_rule', {
          share: (kind === 'cachedRead' ? family.readFactor : family.writeFactor) ?? 1,
        })
    }
  }

  function tiers(price: TieredPrice): string {
    return price.tiers
      .map((tier) =>
        t('tier', {
          above: format.number(tier.above),
          price: format.price(tier.price),
        }),
      )
      .join('; ')
  }
}
