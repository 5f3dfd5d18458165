/**
 * Prices of models, from the data bundled with @pydantic/genai-prices and from our own overlay. Nothing is fetched: only
 * `updatePrices` would, and it is never called. Without it, `waitForUpdate` returns the bundled data.
 *
 * The overlay, `price-overlay.json`, has prices that the bundled list lacks or has in an older state. Each row has its
 * source and the day of its state. Pages were read in stored copies. Where the provider's page was not among them, the
 * source is a page that quotes it, and `isQuoted` says so on the page.
 */
import type { ConditionalPrice, ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices'
import { isBedrockId, vendorModelName } from '../tokens/model-families'
import OVERLAY from './price-overlay.json' with { type: 'json' }
import type { Tokens, UsdPerMillion } from './prompt-cache'

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
  /** The source of prices that are not from the bundled data, and the day of its state. */
  readonly overlay: OverlayModel | undefined
  /** The last day of these prices, if an end is announced. */
  readonly pricesUntil: string | undefined
  /** True if that day is past and no later price is known. */
  readonly havePricesEnded: boolean
}

/** A model of the overlay, with its prices as the bundled data has them. */
interface OverlayModel extends Pick<ModelInfo, 'id' | 'context_window' | 'prices'> {
  readonly providerId: string
  readonly providerName: string
  readonly name: string
  /** Other ids that the provider answers with the same model at the same prices. */
  readonly aliases: readonly string[]
  /** True if these are the lower prices of a provider that charges more at some hours. */
  readonly changesByHour: boolean
  /** The last day of the last prices, if their end is announced. */
  readonly until?: string
  readonly source: string
  /** True if the source is not the provider's page. */
  readonly isQuoted: boolean
  /** The day of the page's state. */
  readonly date: string
}

export const PRICE_OVERLAY = OVERLAY as readonly OverlayModel[]

export interface PriceBook {
  readonly source: string
  readonly version: string
  readonly date: string
  /** Models that have an input and an output price and are not deprecated, by provider; then those that the data lacks. */
  readonly models: readonly PricedModel[]
  /** Finds a model by a name such as `gpt-5`, `openai/gpt-5` or that of a platform; undefined if it is unknown. */
  readonly find: (model: string, providerId?: string) => PricedModel | undefined
}

const GPT_5: PricedModel = {
  id: DEFAULT_MODEL,
  name: 'GPT-5',
  providerId: 'openai',
  providerName: 'OpenAI',
  contextWindow: 400_000,
  input: { base: 1.25, tiers: [] },
  cachedRead: { base: 0.125, tiers: [] },
  cacheWrite: undefined,
  cacheWriteHour: undefined,
  output: { base: 10, tiers: [] },
  changesByHour: false,
  pricingUrl: 'https://developers.openai.com/api/docs/pricing',
  overlay: undefined,
  pricesUntil: undefined,
  havePricesEnded: false,
}

const FIRST_MODELS = [GPT_5, { ...GPT_5, id: 'gpt-5.1', name: 'GPT-5.1' }]

/** The default model and that of the first sample, as the bundled data has them, for figures that need no other. */
export const FIRST_PRICE_BOOK: PriceBook = {
  ...PRICE_DATA,
  models: FIRST_MODELS,
  find: (model) => FIRST_MODELS.find(({ id }) => id === model),
}

/** Loads the prices of a day, such as `2026-11-30`; by default that of the bundled data. */
export async function loadPriceBook(day: string = PRICE_DATA.date): Promise<PriceBook> {
  const { calcPrice, waitForUpdate } = await import('@pydantic/genai-prices')
  // Some prices depend on the hour; at noon UTC every current model has its lower price.
  const timestamp = new Date(`${day}T12:00:00Z`)
  const providers = (await waitForUpdate()) as Provider[]
  const lookUp = (name: string, providerId?: string): PricedModel | undefined => {
    const found = calcPrice({}, name, {
      timestamp,
      ...(providerId !== undefined && { providerId }),
    })
    return found === null
      ? undefined
      : pricedModel(found.provider, found.model, found.model_price, name, timestamp)
  }
  const overlay = (name: string, providerId?: string): PricedModel | undefined => {
    const row = overlayModelOf(name, providerId)
    return row && overlayModel(row, timestamp, name)
  }
  const providerIds = new Set(providers.map(({ id }) => id))
  const models = providers.flatMap((provider) =>
    provider.models.flatMap((model) => {
      if (model.deprecated === true) return []
      const priced =
        overlay(model.id, provider.id) ??
        pricedModel(provider, model, pricesOn(model, timestamp), model.id, timestamp)
      return priced.input === undefined || priced.output === undefined ? [] : [priced]
    }),
  )
  const missing = PRICE_OVERLAY.filter(
    (row) => !models.some(({ id, providerId }) => id === row.id && providerId === row.providerId),
  )
  return {
    ...PRICE_DATA,
    models: [...models, ...missing.map((row) => overlayModel(row, timestamp))],
    find: (model, providerId) => {
      if (providerId !== undefined) return overlay(model, providerId) ?? lookUp(model, providerId)
      const [first = '', ...rest] = model.split('/')
      // The overlay has prices of the providers themselves; platforms such as OpenRouter have their own.
      const named = providerIds.has(first) ? first : undefined
      return (
        overlay(model, named) ??
        (isBedrockId(model) ? lookUp(rest.at(-1) ?? model, 'aws') : undefined) ??
        lookUp(model) ??
        (rest.length > 0 ? lookUp(rest.join('/'), first) : undefined) ??
        lookUp(rest.at(-1) ?? model) ??
        lookUp(vendorModelName(model))
      )
    },
  }
}

/** The row of a model's name; undefined if the overlay has none, or has it of another provider. */
export function overlayModelOf(name: string, providerId?: string): OverlayModel | undefined {
  const bare = vendorModelName(name).toLowerCase()
  // A name can end with the date of a version.
  const isOf = (id: string) =>
    bare === id || (bare.startsWith(id) && /^-\d{4}/.test(bare.slice(id.length)))
  return PRICE_OVERLAY.find(
    (model) =>
      (providerId === undefined || providerId === model.providerId) &&
      [model.id, ...model.aliases].some(isOf),
  )
}

/** The prices of a row on a day. */
export function overlayModel(row: OverlayModel, day: Date, asked: string = row.id): PricedModel {
  const { providerId: id, providerName: name, changesByHour, until, source } = row
  const prices = pricesOn(row, day)
  const model = pricedModel({ id, name, pricing_urls: [source] }, row, prices, asked, day)
  return {
    ...model,
    changesByHour,
    overlay: row,
    pricesUntil: model.pricesUntil ?? until,
    havePricesEnded: until !== undefined && day > new Date(`${until}T24:00:00Z`),
  }
}

function pricesOn(model: Pick<ModelInfo, 'prices'>, day: Date): ModelPrice {
  if (!Array.isArray(model.prices)) return model.prices
  const hour = day.toISOString().slice(11)
  // The first price of a model has no condition.
  const isCurrent = ({ constraint }: ConditionalPrice) => {
    if (constraint === undefined) return true
    if ('start_date' in constraint) return new Date(constraint.start_date) <= day
    return constraint.start_time <= hour && hour < constraint.end_time
  }
  return (model.prices.findLast(isCurrent) as ConditionalPrice).prices
}

function pricedModel(
  provider: Pick<Provider, 'id' | 'name' | 'pricing_urls'>,
  model: Pick<ModelInfo, 'id' | 'name' | 'context_window' | 'prices'>,
  prices: ModelPrice,
  asked: string,
  day: Date,
): PricedModel {
  const constraints = Array.isArray(model.prices)
    ? model.prices.flatMap(({ constraint }) => constraint ?? [])
    : []
  const starts = constraints.flatMap((one) => ('start_date' in one ? [one.start_date] : []))
  const nextStart = starts.map((start) => new Date(start)).find((start) => start > day)
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
    changesByHour: constraints.some((one) => 'start_time' in one),
    pricingUrl: provider.pricing_urls?.[0],
    overlay: undefined,
    pricesUntil: nextStart && new Date(nextStart.getTime() - 1).toISOString().slice(0, 10),
    havePricesEnded: false,
  }
}

function tieredPrice(price: ModelPrice[string]): TieredPrice | undefined {
  if (price === undefined) return undefined
  if (typeof price === 'number') return { base: price, tiers: [] }
  const tiers = price.tiers.map(({ start, price: above }) => ({ above: start, price: above }))
  return { base: price.base, tiers }
}
