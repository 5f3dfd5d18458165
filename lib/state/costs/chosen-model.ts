/** The model that tokens and costs are computed for: the user's choice, else the transcript's, else the default. */

import { usagesOf } from '@/lib/core/conversation/conversation'
import type { PriceBook, PricedModel } from '@/lib/core/replay/price-book'
import { DEFAULT_MODEL, FIRST_PRICE_BOOK } from '@/lib/core/replay/price-book'
import { ownMember } from '@/lib/core/text/json'
import type { ModelFamily } from '@/lib/core/tokens/model-families'
import { familyOfModel, modelOfDocument, OTHER_MODELS } from '@/lib/core/tokens/model-families'
import type { ReadSource } from '../document/document-slice'
import { memoizeOf, type PlaygroundState, select } from '../store'

export type ModelSource = 'chosen' | 'document' | 'default'

type NamesModel = Pick<PlaygroundState, 'model' | 'read'>

const modelOfRead = memoizeOf(({ model }: ReadSource) => modelOfDocument(model.conversations))

/** The model's name and its source. */
export function modelNameOf({ model, read }: NamesModel) {
  return namedModel(model, read && modelOfRead(read))
}

/** The chosen model, else the one that a document names, else the default. */
export function namedModel(
  chosen: string | undefined,
  named: string | undefined,
): { readonly name: string; readonly source: ModelSource } {
  if (chosen !== undefined) return { name: chosen, source: 'chosen' }
  if (named !== undefined) return { name: named, source: 'document' }
  return { name: DEFAULT_MODEL, source: 'default' }
}

/** The model's family, which sets the encoding. */
export function familyOf(state: NamesModel): ModelFamily {
  return familyOfModel(modelNameOf(state).name) ?? OTHER_MODELS
}

export function keyOfModel({ providerId, id }: Pick<PricedModel, 'providerId' | 'id'>): string {
  return id.startsWith(`${providerId}/`) ? id : `${providerId}/${id}`
}

/** The key of a model the user adds; no provider is named `own`. */
export function keyOfUserModel(name: string): string {
  return `own/${name.replaceAll(/\s+/g, '-')}`
}

function listedModel(book: PriceBook, name: string): PricedModel | undefined {
  const slash = name.indexOf('/')
  if (slash > 0) {
    const [provider, id] = [name.slice(0, slash), name.slice(slash + 1)]
    const ofProvider = book.models.filter(({ providerId }) => providerId === provider)
    const listed = ofProvider.find((model) => model.id === id)
    if (listed !== undefined) return listed
    const found = ofProvider.length > 0 ? book.find(id, provider) : undefined
    if (found !== undefined) return found
  }
  return book.find(name)
}

export function describeModel(
  name: string,
  source: ModelSource,
  book: PriceBook,
  modelOverrides: PlaygroundState['modelOverrides'],
) {
  const isUserModel = ownMember(modelOverrides, name)?.name !== undefined
  const listed = isUserModel ? undefined : listedModel(book, name)
  const key = listed === undefined ? name : keyOfModel(listed)
  const overrides = ownMember(modelOverrides, key)
  return {
    /** `provider/name` if the price data has it, else the name alone. Overrides are stored under this key. */
    key,
    name: overrides?.name ?? listed?.name ?? name,
    providerName: listed?.providerName,
    /** Undefined if the price data does not have the model. */
    listed,
    overrides,
    contextWindow: overrides?.contextWindow ?? listed?.contextWindow,
    family: familyOfModel(name) ?? OTHER_MODELS,
    source,
  }
}

/** True if the document states usage: its requests can then name other models than the document. */
const statesUsage = memoizeOf(({ model }: ReadSource) => usagesOf(model.conversations).length > 0)

/** The prices that the model needs; undefined until they are loaded. Those of the first sample are always there. */
export function bookOf(state: PlaygroundState): PriceBook | undefined {
  const { name, source } = modelNameOf(state)
  const isFirst = FIRST_PRICE_BOOK.find(name) !== undefined
  return isFirst && !(source === 'document' && statesUsage(state.read as ReadSource))
    ? FIRST_PRICE_BOOK
    : state.priceBook
}

/** The model with its prices; undefined until the prices it needs are loaded. */
export const modelOf = select(
  [
    (state) => modelNameOf(state).name,
    (state) => modelNameOf(state).source,
    bookOf,
    ({ modelOverrides }) => modelOverrides,
  ],
  (name, source, book, overrides) => describeModel(name, source, book, overrides),
)
