import type { CacheFamily } from './cache-rules'
import type { PricedModel, TieredPrice } from './price-book'
import type { UsdPerMillion } from './units'

export const PRICE_KINDS = ['input', 'cachedRead', 'cacheWrite', 'output'] as const

export type PriceKind = (typeof PRICE_KINDS)[number]

/** `price_data`: from the bundled list. `cache_rule`: the input price times the family's factor. `user`: typed in. */
export type PriceOrigin = 'price_data' | 'cache_rule' | 'user'

export interface SheetPrice {
  readonly price: TieredPrice
  readonly origin: PriceOrigin
}

/** The four prices a replay is paid with; undefined where unknown. */
export type PriceSheet = Readonly<Record<PriceKind, SheetPrice | undefined>>

/** Prices the user gives, for any length of request; each takes the place of the one in the data. */
export type PriceOverrides = Readonly<Partial<Record<PriceKind, UsdPerMillion | undefined>>>

/** Nothing known: a replay in tokens only. */
export const UNKNOWN_PRICES: PriceSheet = {
  input: undefined,
  cachedRead: undefined,
  cacheWrite: undefined,
  output: undefined,
}

/** The prices of a model under a cache family: the user's own, else the data's, else the family's share of the input price. */
export function priceSheet(
  model: PricedModel | undefined,
  family: Pick<CacheFamily, 'readFactor' | 'writeFactor' | 'entryLife'>,
  overrides: PriceOverrides = {},
): PriceSheet {
  const pick = (kind: PriceKind, listed: TieredPrice | undefined): SheetPrice | undefined => {
    const own = overrides[kind]
    if (own !== undefined) return { price: { base: own, tiers: [] }, origin: 'user' }
    return listed && { price: listed, origin: 'price_data' }
  }
  const input = pick('input', model?.input)
  const share = (factor: number | undefined): SheetPrice | undefined =>
    input && factor !== undefined
      ? { price: times(input.price, factor), origin: 'cache_rule' }
      : undefined
  // Listed cache prices belong to the listed input price: beside the user's own, the family's share is nearer.
  const isOwnInput = input?.origin === 'user'
  const listedWrite = family.entryLife === 'hour' ? model?.cacheWriteHour : model?.cacheWrite
  return {
    input,
    cachedRead:
      pick('cachedRead', isOwnInput ? undefined : model?.cachedRead) ?? share(family.readFactor),
    cacheWrite:
      pick('cacheWrite', isOwnInput ? undefined : listedWrite) ?? share(family.writeFactor),
    output: pick('output', model?.output),
  }
}

function times({ base, tiers }: TieredPrice, factor: number): TieredPrice {
  return {
    base: rounded(base * factor),
    tiers: tiers.map(({ above, price }) => ({ above, price: rounded(price * factor) })),
  }
}

/** 3 times 0.1 is 0.3 on a price list. */
function rounded(price: UsdPerMillion): UsdPerMillion {
  return Math.round(price * 1e9) / 1e9
}
