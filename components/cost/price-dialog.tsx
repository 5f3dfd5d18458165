import { RotateCcw } from 'lucide-react'
import { type FormEvent, memo, useId, useState } from 'react'
import { CACHE_FAMILIES, NO_CACHE } from '@/lib/core/replay/cache-rules'
import { PRICE_KINDS, type PriceKind } from '@/lib/core/replay/price-sheet'
import { bookOf, keyOfUserModel } from '@/lib/state/costs/chosen-model'
import { costTermsOf, type SessionCostTerms } from '@/lib/state/costs/cost-terms'
import { useWords } from '../language-provider'
import { useTypedNumber } from '../numbers/number-field'
import { usePlaygroundState, useView } from '../playground-context'
import { Button, linkTo, SourceLink } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { FIELD_GROUP, FIELD_SURFACE } from '../ui/popover'
import { Select } from '../ui/select'
import { IconButton } from '../ui/tooltip'

/** Prices and caching rule of the model. Each value shows its origin and can be replaced. */
export const PriceDialog = memo(function PriceDialog() {
  const { t, format, actions } = useView('cost.prices')
  const terms = usePlaygroundState(costTermsOf)
  const book = usePlaygroundState(bookOf)
  if (terms === undefined || book === undefined) return null
  const { name, key, overrides } = terms.model
  const isUserModel = overrides?.name !== undefined
  const { source, version } = book
  return (
    <Dialog
      title={t('title', { model: name })}
      description={t('description', { date: format.day(book.date), source, version })}
      className="w-[min(32rem,calc(100vw-2rem))]"
      trigger={
        <Button kind="ghost" size="small" className="-mr-2 ml-auto">
          {t(overrides === undefined ? 'open' : 'openCustom')}
        </Button>
      }
      actions={
        overrides !== undefined && (
          <Button
            onClick={() => {
              actions.changeModelOverrides(key, undefined)
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
  const [text, setText] = useState('')
  const name = text.trim()
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (name === '') return
    const key = keyOfUserModel(name)
    actions.changeModelOverrides(key, { name })
    actions.chooseModel(key)
    setText('')
  }
  return (
    <form onSubmit={add}>
      <label htmlFor={id} className="font-medium">
        {t('add')}
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          value={text}
          maxLength={80}
          placeholder={t('addPlaceholder')}
          onChange={(event) => setText(event.target.value)}
          className={`h-8 min-w-0 flex-1 px-2 pointer-coarse:h-11 ${FIELD_SURFACE}`}
        />
        <Button type="submit" disabled={name === ''}>
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
  const { overlay, changesByHour, pricesUntil, havePricesEnded } = model.listed ?? {}
  const originOf = (kind: PriceKind): string => {
    const price = prices[kind]
    const isOptional = terms.terms.rule.kind === 'none' && kind !== 'input' && kind !== 'output'
    switch (price?.origin) {
      case undefined:
        return t(isOptional ? 'notCached' : 'unknown')
      case 'user':
        return t('origins.user')
      case 'price_data':
        return [
          t(overlay === undefined ? 'origins.price_data' : 'origins.overlay', {
            provider: model.providerName ?? '',
          }),
          ...(price?.price.tiers ?? []).map((tier) =>
            t('tier', { above: format.number(tier.above), price: format.price(tier.price) }),
          ),
        ].join('; ')
      case 'cache_rule':
        return t('origins.cache_rule', {
          share: (kind === 'cachedRead' ? family.readFactor : family.writeFactor) ?? 1,
        })
    }
  }
  return (
    <>
      {PRICE_KINDS.map((kind) => (
        <OverrideField
          key={kind}
          terms={terms}
          name={kind}
          label={t(`kinds.${kind}`)}
          value={prices[kind]?.price.base}
          origin={originOf(kind)}
        />
      ))}
      {changesByHour && <p className="text-soft text-sm">{t('changesByHour')}</p>}
      {overlay !== undefined && (
        <p className="text-soft text-sm">
          {t.rich('overlay', {
            isQuoted: overlay.isQuoted === true ? 'yes' : 'no',
            date: format.day(overlay.date),
            a: (chunks) => <SourceLink href={overlay.source}>{chunks}</SourceLink>,
          })}
        </p>
      )}
      {pricesUntil !== undefined && (
        <p className={`text-sm ${havePricesEnded ? 'text-warn' : 'text-soft'}`}>
          {t(havePricesEnded ? 'ended' : 'until', { date: format.day(pricesUntil) })}
        </p>
      )}
    </>
  )
}

/** The caching rule of the model's provider with its sizes, and the model's context limit. */
function CacheRuleFields({ terms }: { readonly terms: SessionCostTerms }) {
  const { t, format, actions } = useView('cost.prices')
  const words = useWords()
  const { model, family, ruleOrigin } = terms
  const { rule } = terms.terms
  const { key, overrides } = model
  const sizes = [
    ...(rule.kind === 'none'
      ? []
      : ([
          ['minimumTokens', rule.minimumTokens],
          ['stepTokens', rule.kind === 'units' ? rule.intervalTokens : rule.stepTokens],
        ] as const)),
    ['contextWindow', model.contextWindow] as const,
  ]
  const sizeOrigin = (name: (typeof sizes)[number][0], value: number | undefined) => {
    if (overrides?.[name] !== undefined) return t('origins.user')
    if (value === undefined) return t('unknown')
    if (name !== 'contextWindow') return t('origins.rule')
    return t('origins.price_data', { provider: model.providerName ?? '' })
  }
  const ruleSource = () => {
    if (ruleOrigin === 'unknown') return t('ruleUnknown')
    if (family.source === '') return null
    return t.rich('ruleSource', {
      date: format.month(family.date),
      a: (chunks) => <SourceLink href={family.source}>{chunks}</SourceLink>,
    })
  }
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
          {overrides?.cacheFamily === undefined ? (
            ruleSource()
          ) : (
            <>
              {t('ruleCustom')}{' '}
              {linkTo(() => actions.changeModelOverrides(key, { cacheFamily: undefined }))(
                t('ruleReset'),
              )}
            </>
          )}
        </p>
      </div>
      {sizes.map(([name, value]) => (
        <OverrideField
          key={name}
          terms={terms}
          name={name}
          label={t(`sizes.${name}`)}
          value={value}
          unit={t('tokens')}
          origin={sizeOrigin(name, value)}
        />
      ))}
    </>
  )
}

/** A price or size of the model with its origin, which the user can replace, and reset once it is. */
function OverrideField(props: {
  readonly terms: SessionCostTerms
  readonly name: keyof NonNullable<SessionCostTerms['model']['overrides']>
  readonly label: string
  /** Undefined if unknown: the field is empty. */
  readonly value: number | undefined
  /** Undefined for a price in dollars. */
  readonly unit?: string
  readonly origin: string
}) {
  const { terms, name, label, value, unit, origin } = props
  const { t, actions } = useView('cost.prices')
  const id = useId()
  const { key, overrides } = terms.model
  const onValueChange = (next: number | undefined) =>
    actions.changeModelOverrides(key, { [name]: next })
  const digits = unit === undefined ? 6 : 0
  const bounds = { minimum: 0, maximum: 1e9 }
  const { inputProps, problem } = useTypedNumber({ id, value, ...bounds, digits, onValueChange })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_1.75rem] items-center gap-x-2 pointer-coarse:grid-cols-[minmax(0,1fr)_auto_2.75rem]">
      <span className="min-w-0">
        <label htmlFor={id} className="block font-medium">
          {label}
        </label>
        <span id={`${id}-origin`} className="block text-soft text-sm">
          {origin}
        </span>
      </span>
      <span className={`flex h-7 w-32 items-center px-2 pointer-coarse:h-11 ${FIELD_GROUP}`}>
        {unit === undefined && <span className="text-soft">$</span>}
        <input
          {...inputProps}
          aria-describedby={`${problem === undefined ? '' : `${id}-problem `}${id}-origin`}
          placeholder="–"
          className="h-full w-full min-w-0 bg-transparent text-right tabular-nums outline-none placeholder:text-faint aria-invalid:text-bad"
        />
        {unit !== undefined && <span className="pl-1.5 text-soft text-sm">{unit}</span>}
      </span>
      {overrides?.[name] === undefined ? (
        <span />
      ) : (
        <IconButton
          label={t('reset', { label })}
          icon={RotateCcw}
          onClick={() => onValueChange(undefined)}
        />
      )}
      <p
        id={`${id}-problem`}
        aria-live="polite"
        className="col-span-full text-bad text-sm empty:hidden"
      >
        {problem}
      </p>
    </div>
  )
}
