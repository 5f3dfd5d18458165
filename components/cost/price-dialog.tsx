import { type FormEvent, memo, useId, useState } from 'react'
import { PRICE_KINDS, type PriceKind } from '@/lib/core/replay/price-sheet'
import { bookOf, keyOfUserModel } from '@/lib/state/costs/chosen-model'
import { costTermsOf, type SessionCostTerms } from '@/lib/state/costs/cost-terms'
import { usePlaygroundState, useView } from '../playground-context'
import { Button, SourceLink } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { FIELD_SURFACE } from '../ui/popover'
import { CacheRuleFields } from './cache-rule-fields'
import { OverrideField } from './override-field'

/** Prices and caching rule of the model. Each value shows its origin and can be replaced. */
export const PriceDialog = memo(function PriceDialog() {
  const { t, format, actions } = useView('cost.prices')
  const terms = usePlaygroundState(costTermsOf)
  const book = usePlaygroundState(bookOf)
  const hasOverrides = terms?.model.overrides !== undefined
  const isUserModel = terms?.model.overrides?.name !== undefined
  if (terms === undefined || book === undefined) return null
  const { model } = terms
  const date = format.day(book.date)

  return (
    <Dialog
      title={t('title', { model: model.name })}
      description={t('description', { date, source: book.source, version: book.version })}
      closeLabel={t('close')}
      className="w-[min(32rem,calc(100vw-2rem))]"
      trigger={
        <Button kind="ghost" size="small" className="-mr-2 ml-auto">
          {t(hasOverrides ? 'openCustom' : 'open')}
        </Button>
      }
      actions={
        hasOverrides && (
          <Button
            onClick={() => {
              actions.changeModelOverrides(model.key, undefined)
              if (isUserModel) actions.chooseModel(undefined)
            }}
          >
            {t(isUserModel ? 'remove' : 'resetAll')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <PriceFields terms={terms} />
        <hr className="my-1" />
        <CacheRuleFields terms={terms} />
        <hr className="my-1" />
        <AddModel />
      </div>
    </Dialog>
  )
})

/** Adds a model that is not in the price list. Its prices are unknown until they are typed. */
function AddModel() {
  const { t, actions } = useView('cost.prices')
  const id = useId()
  const [name, setName] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    const known = name.trim()
    if (known === '') return
    const key = keyOfUserModel(known)
    actions.changeModelOverrides(key, { name: known })
    actions.chooseModel(key)
    setName('')
  }
  return (
    <form onSubmit={add}>
      <label htmlFor={id} className="font-medium">
        {t('add')}
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          value={name}
          maxLength={80}
          placeholder={t('addPlaceholder')}
          onChange={(event) => setName(event.target.value)}
          className={`h-8 min-w-0 flex-1 px-2 pointer-coarse:h-11 ${FIELD_SURFACE}`}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {t('addDo')}
        </Button>
      </div>
      <p className="mt-1 text-soft text-sm">{t('addNote')}</p>
    </form>
  )
}

function PriceFields({ terms }: { readonly terms: SessionCostTerms }) {
  const { t, format } = useView('cost.prices')
  const { model, prices, family } = terms
  const { listed } = model
  const overlay = listed?.overlay
  const isCached = terms.terms.rule.kind !== 'none'

  return (
    <>
      {PRICE_KINDS.map((kind) => (
        <OverrideField
          key={kind}
          terms={terms}
          name={kind}
          label={t(`kinds.${kind}`)}
          value={prices[kind]?.price.base}
          digits={6}
          prefix="$"
          origin={originOf(kind)}
        />
      ))}
      {listed?.changesByHour === true && <p className="text-soft text-sm">{t('changesByHour')}</p>}
      {overlay !== undefined && (
        <p className="text-soft text-sm">
          {t.rich('overlay', {
            isQuoted: overlay.isQuoted === true ? 'yes' : 'no',
            date: format.day(overlay.date),
            a: (chunks) => <SourceLink href={overlay.source}>{chunks}</SourceLink>,
          })}
        </p>
      )}
      {listed?.pricesUntil !== undefined && (
        <p className={`text-sm ${listed.havePricesEnded ? 'text-warn' : 'text-soft'}`}>
          {t(listed.havePricesEnded ? 'ended' : 'until', {
            date: format.day(listed.pricesUntil),
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
          t(overlay === undefined ? 'origins.price_data' : 'origins.overlay', {
            provider: model.providerName ?? '',
          }),
          ...price.price.tiers.map((tier) =>
            t('tier', { above: format.number(tier.above), price: format.price(tier.price) }),
          ),
        ].join('; ')
      case 'cache_rule':
        return t('origins.cache_rule', {
          share: (kind === 'cachedRead' ? family.readFactor : family.writeFactor) ?? 1,
        })
    }
  }
}
