import { useFormatter, useTranslations } from 'use-intl'
import type { TieredPrice } from '@/lib/core/replay/price-book'
import { type ModelOption, searchModels } from '@/lib/state/model-search'
import { modelNameOf, modelOf } from '@/lib/state/models'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { SearchSelect } from '../ui/search-select'

/** The model that tokens are counted and paid for, found by name or provider. */
export function ModelPicker() {
  const t = useTranslations('savings.model')
  const format = useFormatter()
  const { actions } = usePlayground()
  const model = usePlaygroundState(modelOf)
  const name = usePlaygroundState((state) => modelNameOf(state).name)
  const book = usePlaygroundState((state) => state.priceBook)
  const own = usePlaygroundState((state) => state.ownTerms)

  const price = (listed: TieredPrice | undefined) =>
    listed === undefined
      ? '–'
      : format.number(listed.base, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })
  const option = ({ key, name: label, listed }: ModelOption) => ({
    value: key,
    label,
    description:
      listed === undefined
        ? key
        : t('prices', {
            key,
            input: price(listed.input),
            read: price(listed.cachedRead),
            output: price(listed.output),
          }),
  })
  const found = (query: string) =>
    book === undefined ? { groups: [], left: 0 } : searchModels(book, own, query)

  return (
    <SearchSelect
      label={t('label')}
      searchLabel={t('search')}
      value={{ value: model?.key ?? name, label: model?.name ?? name }}
      search={(query) =>
        found(query).groups.map(({ provider, models }) => ({
          label: provider ?? t('own'),
          options: models.map(option),
        }))
      }
      onValueChange={actions.chooseModel}
      empty={t(book === undefined ? 'loading' : 'none')}
      footer={(query) => t(query === '' ? 'more' : 'left', { n: found(query).left })}
    />
  )
}
