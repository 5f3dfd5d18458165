/** Models offered by the picker, by provider: the matches of a search, or else recent and current models. */
import type { OverridesByModel } from '@/lib/core/replay/model-overrides'
import type { PriceBook, PricedModel } from '@/lib/core/replay/price-book'
import { memoize } from '../store'
import { readStored, STORAGE_KEYS, type TextStorage, writeStored } from '../sync-stored'
import { keyOfModel } from './chosen-model'

export interface ModelOption {
  readonly key: string
  readonly name: string
}

/** Providers that make their own models, in display order. */
const MAKERS = [
  'openai',
  'anthropic',
  'google',
  'deepseek',
  'moonshotai',
  'x-ai',
  'zai',
  'mistral',
  'minimax',
  'alibaba',
]

const MODELS_OF_A_MAKER = 8
const MODELS_FOUND = 60

const NOT_FOR_TEXT = /audio|image|tts|realtime|transcribe|embed|live|voice|voxtral|search|computer/i
/** Models of former generations, and those that others host: few sessions of the maker use them. */
const FORMER =
  /davinci|curie|babbage|\bada\b|instruct|\/o\d|gpt-oss|chat-latest|gpt-3|gpt-4(?![.o])|claude-(2|3|instant)|gemini-1|palm|grok-[123]\b/i

interface ListedOption extends ModelOption {
  readonly listed: PricedModel
  readonly text: string
  /** Its name without the provider. */
  readonly bare: string
}

const optionsOf = memoize((book: PriceBook): readonly ListedOption[] => {
  const options = book.models.map((listed) => {
    const key = keyOfModel(listed)
    const text = `${listed.providerName} ${key} ${listed.name}`.toLowerCase()
    const bare = key.slice(key.lastIndexOf('/') + 1).toLowerCase()
    return { key, name: listed.name, listed, text, bare }
  })
  // Names end in their version, so the highest is the newest.
  const order = new Intl.Collator('en', { numeric: true })
  return options.sort(
    (a, b) => rank(a) - rank(b) || usage(a) - usage(b) || order.compare(b.key, a.key),
  )
})

function rank({ listed }: ListedOption): number {
  const at = MAKERS.indexOf(listed.providerId)
  return at === -1 ? MAKERS.length : at
}

/** 0 for what people use, 1 for models of former generations, 2 for models that do not write text. */
function usage({ key }: ListedOption): number {
  return NOT_FOR_TEXT.test(key) ? 2 : FORMER.test(key) ? 1 : 0
}

/** How well an option fits a query: 0 for its name, 1 for the start of its name, 2 for all words anywhere. */
function closeness({ key, name, bare }: ListedOption, query: string): number {
  const names = [key.toLowerCase(), bare, name.toLowerCase()]
  if (names.includes(query)) return 0
  return names.some((one) => one.startsWith(query)) ? 1 : 2
}

/**
 * Without a query, the current model, the recent ones and the newest of each maker. With one, the models whose provider,
 * key or name contain all its words: an exact name first, then names that begin so; the makers' own models come before
 * those of platforms, and current models before former ones. Models the user added come first.
 */
export function searchModels(
  book: PriceBook,
  overrides: OverridesByModel,
  query: string,
  recent: readonly string[] = [],
) {
  const typed = query.trim().toLowerCase()
  const words = typed.split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.includes(word))
  const custom = Object.entries(overrides).flatMap(([key, { name }]): ModelOption[] =>
    name !== undefined && fits(`${key} ${name}`.toLowerCase()) ? [{ key, name }] : [],
  )
  const options = optionsOf(book)
  const known = [...new Set(recent)].flatMap((key) => options.find((one) => one.key === key) ?? [])
  const latest = words.length > 0 ? [] : known
  const matching =
    words.length === 0
      ? options.filter((option) => MAKERS.includes(option.listed.providerId) && usage(option) < 2)
      : options
          .filter(({ text }) => fits(text))
          // Sorting is stable, so equal fits stay in the order of their use.
          .sort((a, b) => closeness(a, typed) - closeness(b, typed))
  const shown = words.length > 0 ? matching.slice(0, MODELS_FOUND) : matching
  const groups = new Map<string, ModelOption[]>()
  let listed = 0
  for (const { key, name, listed: model } of shown) {
    if (latest.some((option) => option.key === key)) continue
    const group = groups.get(model.providerName) ?? []
    if (words.length === 0 && group.length >= MODELS_OF_A_MAKER) continue
    groups.set(model.providerName, group)
    group.push({ key, name })
    listed++
  }
  const group = (kind: 'recent' | 'custom', models: readonly ModelOption[]) =>
    models.length > 0 ? [{ kind, provider: undefined, models }] : []
  return {
    /** The current model and those chosen last, models the user added, and those of each provider. */
    groups: [
      ...group('recent', latest),
      ...group('custom', custom),
      ...[...groups].map(([provider, models]) => ({ kind: 'provider' as const, provider, models })),
    ],
    /** Number of matches left out of the list. */
    left: (words.length === 0 ? book.models.length - latest.length : matching.length) - listed,
  }
}

const MOST_RECENT = 5

/** The keys of the models chosen last, latest first; empty if the browser refuses its storage or it is damaged. */
export function readRecentModels(storage: () => TextStorage): readonly string[] {
  return readStored(storage, STORAGE_KEYS.recentModels, (text) => {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : []
  }).slice(0, MOST_RECENT)
}

export function rememberModel(storage: () => TextStorage, key: string): void {
  const others = readRecentModels(storage).filter((other) => other !== key)
  const keys = [key, ...others].slice(0, MOST_RECENT)
  writeStored(storage, STORAGE_KEYS.recentModels, JSON.stringify(keys))
}
