import { memo, useEffect } from 'react'
import type { PriceBook } from '@/lib/core/replay/price-book'
import type { PriceKind } from '@/lib/core/replay/price-sheet'
import { UNKNOWN_FIGURE } from '@/lib/core/report/figure-format'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { termsOfNamedModel } from '@/lib/state/costs/cost-terms'
import type { ModelOption } from '@/lib/state/costs/model-search'
import { readRecentModels, rememberModel, searchModels } from '@/lib/state/costs/model-search'
import { usePlaygroundState, useView } from '../playground-context'
import { SearchSelect } from '../ui/search-select'

/** Chooses the model for token counts and prices, by name or provider. */
export const ModelPicker = memo(function ModelPicker() {
  const { t, format, actions, loadPriceList } = useView('cost.model')
  const model = usePlaygroundState(modelOf)
  const name = usePlaygroundState((state) => modelNameOf(state).name)
  const book = usePlaygroundState((state) => state.priceBook)
  const overrides = usePlaygroundState((state) => state.modelOverrides)

  // This view loads after the first figures.
  useEffect(loadPriceList, [loadPriceList])

  const current = model?.key ?? name

  const option = ({ key, name: label }: ModelOption) => {
    const { prices } = termsOfNamedModel({ modelOverrides: overrides }, book as PriceBook, key)
    const price = (kind: PriceKind) => {
      const known = prices[kind]
      return known === undefined ? UNKNOWN_FIGURE : format.price(known.price.base)
    }
    const shown = { input: price('input'), read: price('cachedRead'), output: price('output') }
    return { value: key, label, description: t('prices', { key, ...shown }) }
  }
  const found = (query: string) =>
    book === undefined
      ? { groups: [], left: 0 }
      : searchModels(book, overrides, query, [current, ...readRecentModels(() => localStorage)])

  return (
    <SearchSelect
      label={t('label')}
      searchLabel={t('search')}
      value={{ value: current, label: model?.name ?? name }}
      search={(query) =>
        found(query).groups.map(({ kind, provider = '', models }) => ({
          label: kind === 'provider' ? provider : t(kind),
          options: models.map(option),
        }))
      }
      onValueChange={(key) => {
        rememberModel(() => localStorage, key)
        actions.chooseModel(key)
      }}
      empty={t(book === undefined ? 'loading' : 'none')}
      footer={(query) => t(query === '' ? 'more' : 'left', { n: found(query).left })}
    />
  )
})
