/** Models offered by the picker, by provider: all matches of a search, or else the current models of the makers. */

import type { OverridesByModel } from '@/lib/core/replay/model-overrides'
import type { PriceBook, PricedModel } from '@/lib/core/replay/price-book'
import { memoize } from '../memoize'
import { keyOfModel } from './chosen-model'

export interface ModelOption {
  readonly key: string
  readonly name: string
  /** Undefined for a model the user added. */
  readonly listed: PricedModel | undefined
}

export interface ModelGroup {
  /** Undefined for models the user added. */
  readonly provider: string | undefined
  readonly models: readonly ModelOption[]
}

export interface ModelSearch {
  readonly groups: readonly ModelGroup[]
  /** Number of matches left out of the list. */
  readonly left: number
}

/** Providers that make their own models, in display order. */
const MAKERS = ['openai', 'anthropic', 'google', 'deepseek', 'moonshotai', 'mistral', 'x-ai']

const MODELS_OF_A_MAKER = 8
const MODELS_FOUND = 60

const NOT_FOR_TEXT = /audio|image|tts|realtime|transcribe|embed|live|voice|voxtral|search|computer/i

const all = memoize((book: PriceBook) => {
  const options = book.models.map((listed) => {
    const key = keyOfModel(listed)
    const text = `${listed.providerName} ${key} ${listed.name}`.toLowerCase()
    return { key, name: listed.name, listed, text }
  })
  // Names end in their version, so the highest is the newest.
  const order = new Intl.Collator('en', { numeric: true })
  return options.sort((a, b) => rank(a) - rank(b) || order.compare(b.key, a.key))
})

function rank({ listed }: { readonly listed: PricedModel }): number {
  const at = MAKERS.indexOf(listed.providerId)
  return at === -1 ? MAKERS.length : at
}

/** Models whose provider, key or name contain all words of the query; models the user added come first. */
export function searchModels(
  book: PriceBook,
  overrides: OverridesByModel,
  query: string,
): ModelSearch {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.includes(word))
  const userModels = Object.entries(overrides).flatMap(([key, { name }]): ModelOption[] =>
    name !== undefined && fits(`${key} ${name}`.toLowerCase())
      ? [{ key, name, listed: undefined }]
      : [],
  )
  const groups = new Map<string, ModelOption[]>()
  let [listed, left] = [0, 0]
  for (const { text, ...option } of all(book)) {
    const { providerId, providerName } = option.listed
    if (words.length === 0 && (!MAKERS.includes(providerId) || NOT_FOR_TEXT.test(option.key)))
      continue
    if (!fits(text)) continue
    const group = groups.get(providerName) ?? []
    if (words.length === 0 ? group.length >= MODELS_OF_A_MAKER : listed >= MODELS_FOUND) {
      left++
      continue
    }
    groups.set(providerName, group)
    group.push(option)
    listed++
  }
  return {
    groups: [
      ...(userModels.length > 0 ? [{ provider: undefined, models: userModels }] : []),
      ...[...groups].map(([provider, models]) => ({ provider, models })),
    ],
    left: words.length === 0 ? book.models.length - listed : left,
  }
}
