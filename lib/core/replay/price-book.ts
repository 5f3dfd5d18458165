/**
 * Prices of models, from the data bundled with @pydantic/genai-prices. Nothing is fetched: only `updatePrices` would, and
 * it is never called. Without it, `waitForUpdate` returns the bundled data.
 */
import type { ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices'
import type { Tokens, UsdPerMillion } from './units'

/** The version of the library and the day of its release; the data has no newer prices. */
export const PRICE_DATA = {
  source: '@pydantic/genai-prices',
  version: '0.1.8',
  date: '2026-09-23',
} as const

/** The model whose prices are used by default. */
export const DEFAULT_MODEL = 'gpt-5'

/** A price that can depend on the length of a request. The price of the last exceeded tier applies to all its tokens. */
export interface TieredPrice {
  readonly base: UsdPerMillion
  /** Ascending. A tier applies to requests of more input tokens than `above`. */
  readonly tiers: readonly { readonly above: Tokens; readonly price: UsdPerMillion }[]
}

/** A model of a provider. Prices that the data does not have are undefined. */
export interface PricedModel {
  readonly id: string
  readonly name: string
  readonly providerId: string
  readonly providerName: string
  readonly contextWindow: Tokens | undefined
  readonly input: TieredPrice | undefined
  readonly cachedRead: TieredPrice | undefined
  readonly cacheWrite: TieredPrice | undefined
  /** For cache entries with a lifetime of one hour. */
  readonly cacheWriteHour: TieredPrice | undefined
  readonly output: TieredPrice | undefined
  /** True if the provider charges more at some hours; the prices here are for all other hours. */
  readonly changesByHour: boolean
  /** The price list of the provider. */
  readonly pricingUrl: string | undefined
}

export interface PriceBook {
  readonly source: string
  readonly version: string
  readonly date: string
  /** Models that have an input and an output price and are not deprecated, grouped by provider. */
  readonly models: readonly PricedModel[]
  /** Finds a model by a name such as `gpt-5`, `openai/gpt-5` or `gpt-5-2025-08-07`; undefined if it is unknown. */
  readonly find: (model: string, providerId?: string) => PricedModel | undefined
}

/** Loads the prices that were valid on a day. */
export async function loadPriceBook(day: string = PRICE_DATA.date): Promise<PriceBook> {
  const { calcPrice, waitForUpdate } = await import('@pydantic/genai-prices')
  // Some prices depend on the hour; at noon UTC every current model has its lower price.
  const timestamp = new Date(`${day}T12:00:00Z`)
  const providers = (await waitForUpdate()) ?? []
  const lookUp = (model: string, providerId?: string): PricedModel | undefined => {
    const options = providerId === undefined ? { timestamp } : { timestamp, providerId }
    const found = calcPrice({}, model, options)
    return found === null
      ? undefined
      : pricedModel(found.provider, found.model, found.model_price, model)
  }
  return {
    ...PRICE_DATA,
    models: providers.flatMap((provider) =>
      provider.models.flatMap((model) => {
        if (model.deprecated === true) return []
        const priced = pricedModel(provider, model, pricesOn(model, timestamp), model.id)
        return priced.input === undefined || priced.output === undefined ? [] : [priced]
      }),
    ),
    find: (model, providerId) => {
      if (providerId !== undefined) return lookUp(model, providerId)
      const slash = model.indexOf('/')
      if (slash === -1) return lookUp(model)
      const name = model.slice(model.lastIndexOf('/') + 1)
      return lookUp(model) ?? lookUp(model.slice(slash + 1), model.slice(0, slash)) ?? lookUp(name)
    },
  }
}

function pricesOn(model: ModelInfo, day: Date): ModelPrice {
  if (!Array.isArray(model.prices)) return model.prices
  const hour = day.toISOString().slice(11)
  const current = model.prices.findLast(({ constraint }) => {
    if (constraint === undefined) return true
    if ('start_date' in constraint) return new Date(constraint.start_date) <= day
    return constraint.start_time <= hour && hour < constraint.end_time
  })
  return current?.prices ?? {}
}

function pricedModel(
  provider: Provider,
  model: ModelInfo,
  prices: ModelPrice,
  asked: string,
): PricedModel {
  const constraints = Array.isArray(model.prices) ? model.prices : []
  return {
    id: asked,
    name: model.name ?? model.id,
    providerId: provider.id,
    providerName: provider.name,
    contextWindow: model.context_window,
    input: tieredPrice(prices.input_mtok),
    cachedRead: tieredPrice(prices.cache_read_mtok),
    cacheWrite: tieredPrice(prices.cache_write_mtok),
    cacheWriteHour: tieredPrice(prices.cache_write_1h_mtok),
    output: tieredPrice(prices.output_mtok),
    changesByHour: constraints.some(
      ({ constraint }) => constraint !== undefined && 'start_time' in constraint,
    ),
    pricingUrl: provider.pricing_urls?.[0],
  }
}

function tieredPrice(price: ModelPrice[string]): TieredPrice | undefined {
  if (price === undefined) return undefined
  if (typeof price === 'number') return { base: price, tiers: [] }
  const tiers = price.tiers.map(({ start, price: above }) => ({ above: start, price: above }))
  return { base: price.base, tiers: tiers.sort((a, b) => a.above - b.above) }
}
