import type { CacheFamily } from './cache-rules'
import type { PricedModel, TieredPrice } from './price-book'
import type { UsdPerMillion } from './units'

export const PRICE_KINDS = ['input', 'cachedRead', 'cacheWrite', 'output'] as const

export type PriceKind = (typeof PRICE_KINDS)[number]

/** `price_data`: from the bundled data. `cache_rule`: the input price times a factor of the family. `user`: an override. */
export type PriceOrigin = 'price_data' | 'cache_rule' | 'user'

export interface SheetPrice {
  readonly price: TieredPrice
  readonly origin: PriceOrigin
}

/** The four prices that a replay needs; undefined where unknown. */
export type PriceSheet = Readonly<Record<PriceKind, SheetPrice | undefined>>

/** Prices that the user sets, for requests of any length. They replace those of the data. */
export type PriceOverrides = Readonly<Partial<Record<PriceKind, UsdPerMillion | undefined>>>

/** No known price; a replay then has tokens only. */
export const UNKNOWN_PRICES: PriceSheet = {
  input: undefined,
  cachedRead: undefined,
  cacheWrite: undefined,
  output: undefined,
}

/** The prices of a model: overrides first, then the price data, then the input price times a factor of the cache family. */
export function priceSheet(
  model: PricedModel | undefined,
  family: Pick<CacheFamily, 'readFactor' | 'writeFactor' | 'entryLife'>,
  overrides: PriceOverrides = {},
): PriceSheet {
  const pick = (kind: PriceKind, listed: TieredPrice | undefined): SheetPrice | undefined => {
    const override = overrides[kind]
    if (override !== undefined) return { price: { base: override, tiers: [] }, origin: 'user' }
    return listed && { price: listed, origin: 'price_data' }
  }
  const input = pick('input', model?.input)
  const share = (factor: number | undefined): SheetPrice | undefined =>
    input && factor !== undefined
      ? { price: times(input.price, factor), origin: 'cache_rule' }
      : undefined
  // Listed cache prices belong to the listed input price. For an overridden one, the factor of the family is closer.
  const isInputOverridden = input?.origin === 'user'
  // Where writes cost as much as input, a listed write price is for the provider's other, explicit cache.
  const listedWrite =
    family.writeFactor === 1
      ? undefined
      : family.entryLife === 'hour'
        ? model?.cacheWriteHour
        : model?.cacheWrite
  return {
    input,
    cachedRead:
      pick('cachedRead', isInputOverridden ? undefined : model?.cachedRead) ??
      share(family.readFactor),
    cacheWrite:
      pick('cacheWrite', isInputOverridden ? undefined : listedWrite) ?? share(family.writeFactor),
    output: pick('output', model?.output),
  }
}

function times({ base, tiers }: TieredPrice, factor: number): TieredPrice {
  return {
    base: rounded(base * factor),
    tiers: tiers.map(({ above, price }) => ({ above, price: rounded(price * factor) })),
  }
}

/** Removes floating-point noise: 3 times 0.1 is 0.3 on a price list. */
function rounded(price: UsdPerMillion): UsdPerMillion {
  return Math.round(price * 1e9) / 1e9
}
