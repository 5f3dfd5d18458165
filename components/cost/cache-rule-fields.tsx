import { CACHE_FAMILIES, NO_CACHE } from '@/lib/core/replay/cache-rules'
import type { SessionCostTerms } from '@/lib/state/costs/cost-terms'
import { useWords } from '../language-provider'
import { useView } from '../playground-context'
import { Button, SourceLink } from '../ui/button'
import { Select } from '../ui/select'
import { OverrideField } from './override-field'

/** The caching rule of the model's provider with its sizes, and the model's context limit. */
export function CacheRuleFields({ terms }: { readonly terms: SessionCostTerms }) {
  const { t, format, actions } = useView('cost.prices')
  const words = useWords()
  const { model, family, ruleOrigin } = terms
  const { rule } = terms.terms
  const { key, overrides } = model
  const size = (name: 'minimumTokens' | 'stepTokens' | 'contextWindow', value?: number) => (
    <OverrideField
      terms={terms}
      name={name}
      label={t(`sizes.${name}`)}
      value={value}
      digits={0}
      unit={t('tokens')}
      origin={sizeOrigin(name, value)}
    />
  )

  return (
    <>
      <div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="font-medium">{t('rule')}</span>
          <Select
            label={t('rule')}
            value={family.id}
            onValueChange={(cacheFamily) =>
              actions.changeModelOverrides(key, {
                cacheFamily,
                minimumTokens: undefined,
                stepTokens: undefined,
              })
            }
            options={[NO_CACHE, ...CACHE_FAMILIES].map(({ id, label, rule: { kind } }) => ({
              value: id,
              label: words({ name: label }),
              description: t(`rules.${kind}`),
            }))}
          />
        </div>
        <p className="mt-0.5 text-soft text-sm">
          {t(`rules.${rule.kind}`)}{' '}
          {rule.kind === 'units' && rule.intervalTokens === undefined && t('rules.interval')}{' '}
          {ruleSource()}
        </p>
      </div>
      {rule.kind !== 'none' && (
        <>
          {size('minimumTokens', rule.minimumTokens)}
          {size('stepTokens', rule.kind === 'units' ? rule.intervalTokens : rule.stepTokens)}
        </>
      )}
      {size('contextWindow', model.contextWindow)}
    </>
  )

  function ruleSource() {
    if (overrides?.cacheFamily !== undefined)
      return (
        <>
          {t('ruleCustom')}{' '}
          <Button
            kind="link"
            onClick={() => actions.changeModelOverrides(key, { cacheFamily: undefined })}
          >
            {t('ruleReset')}
          </Button>
        </>
      )
    if (ruleOrigin === 'unknown') return t('ruleUnknown')
    if (family.source === '') return null
    return t.rich('ruleSource', {
      date: format.month(family.date),
      a: (chunks) => <SourceLink href={family.source}>{chunks}</SourceLink>,
    })
  }

  function sizeOrigin(
    name: keyof NonNullable<typeof overrides>,
    value: number | undefined,
  ): string {
    if (overrides?.[name] !== undefined) return t('origins.user')
    if (value === undefined) return t('unknown')
    if (name === 'contextWindow')
      return t('origins.price_data', { provider: model.providerName ?? '' })
    return t('origins.rule')
  }
}
