/** Which model everything is counted and paid for: the one chosen, else the transcript's own, else the default. */

import type { OwnTerms } from '@/lib/core/replay/own-terms'
import { DEFAULT_MODEL, type PriceBook, type PricedModel } from '@/lib/core/replay/price-book'
import {
  familyOfModel,
  type ModelFamily,
  modelOfDocument,
  OTHER_MODELS,
} from '@/lib/core/tokens/models'
import { remembered } from './remembered'
import type { PlaygroundState } from './store'

export type ModelSource = 'chosen' | 'document' | 'default'

export interface ChosenModel {
  /** `provider/name` where the price data knows it, else the name alone; own prices are kept by it. */
  readonly key: string
  readonly name: string
  readonly providerName: string | undefined
  /** Undefined for a model the price data does not know. */
  readonly listed: PricedModel | undefined
  readonly own: OwnTerms | undefined
  readonly contextWindow: number | undefined
  readonly family: ModelFamily
  /** Who named it. */
  readonly source: ModelSource
}

type NamesModel = Pick<PlaygroundState, 'model' | 'read'>

const modelOfRead = remembered((read: PlaygroundState['read']): string | undefined =>
  modelOfDocument(read?.model.conversations ?? []),
)

/** The name everything goes by, and who gave it; a document's own counts when its family is known. */
export function modelNameOf({ model, read }: NamesModel): {
  readonly name: string
  readonly source: ModelSource
} {
  if (model !== undefined) return { name: model, source: 'chosen' }
  const named = modelOfRead(read)
  if (named !== undefined) return { name: named, source: 'document' }
  return { name: DEFAULT_MODEL, source: 'default' }
}

/** The family of the model: what its tokens are counted with. */
export function familyOf(state: NamesModel): ModelFamily {
  return familyOfModel(modelNameOf(state).name) ?? OTHER_MODELS
}

/** The key of a model of the price data. */
export function keyOfModel({ providerId, id }: Pick<PricedModel, 'providerId' | 'id'>): string {
  return id.startsWith(`${providerId}/`) ? id : `${providerId}/${id}`
}

/** The key of a model the user adds: no provider has this name. */
export function keyOfOwnModel(name: string): string {
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

const chosenModel = remembered(
  (
    name: string,
    source: ModelSource,
    book: PriceBook,
    ownTerms: PlaygroundState['ownTerms'],
  ): ChosenModel => {
    const isOwn = ownTerms[name]?.name !== undefined
    const listed = isOwn ? undefined : listedModel(book, name)
    const key = listed === undefined ? name : keyOfModel(listed)
    const own = ownTerms[key]
    return {
      key,
      name: own?.name ?? listed?.name ?? name,
      providerName: listed?.providerName,
      listed,
      own,
      contextWindow: own?.contextWindow ?? listed?.contextWindow,
      family: familyOfModel(name) ?? OTHER_MODELS,
      source,
    }
  },
)

/** The model with what is known of it; undefined until the price data is there. */
export function modelOf(state: PlaygroundState): ChosenModel | undefined {
  if (state.priceBook === undefined) return undefined
  const { name, source } = modelNameOf(state)
  return chosenModel(name, source, state.priceBook, state.ownTerms)
}
