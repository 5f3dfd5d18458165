import type { CacheFamily } from './cache-rules'
import type { PricedModel, TieredPrice } from './price-book'
import type { CacheSplit, Tokens, Usd, UsdPerMillion } from './prompt-cache'

export const PRICE_KINDS = ['input', 'cachedRead', 'cacheWrite', 'output'] as const

export type PriceKind = (typeof PRICE_KINDS)[number]

export interface SheetPrice {
  readonly price: TieredPrice
  /** `price_data`: from the bundled data. `cache_rule`: the input price times a factor of the family. `user`: an override. */
  readonly origin: 'price_data' | 'cache_rule' | 'user'
}

/** The four prices that a replay needs; undefined where unknown. */
export type PriceSheet = Readonly<Record<PriceKind, SheetPrice | undefined>>

/** Prices that the user sets, for requests of any length. They replace those of the data. */
export type PriceOverrides = Readonly<Partial<Record<PriceKind, UsdPerMillion | undefined>>>

/** No known price; a replay then has tokens only. */
export const UNKNOWN_PRICES: PriceSheet = ofKinds(() => undefined)

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

/** All prices of a sheet times a factor. */
export function timesSheet(sheet: PriceSheet, factor: number): PriceSheet {
  return ofKinds((kind) => {
    const entry = sheet[kind]
    return entry && { ...entry, price: times(entry.price, factor) }
  })
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

/** Token sums of requests that have the same prices. */
export type TokenSums = Record<'input' | 'read' | 'written' | 'fresh' | 'output', Tokens>

/** Costs of requests; undefined where a price is unknown. */
export interface Costs {
  /** Input without prompt caching. */
  readonly plain: Usd | undefined
  /** Input with prompt caching. */
  readonly cached: Usd | undefined
  /** The answers. */
  readonly output: Usd | undefined
}

/** Price sheets by tiers of request length. Prices are constant within a tier. */
export type PriceTiers = Readonly<ReturnType<typeof priceTiers>>

/** The tiers of a sheet, and of the variants that some requests are priced by. */
export function priceTiers(
  sheet: PriceSheet,
  variants: readonly { readonly prices: PriceSheet }[] = [],
) {
  const sheets = [sheet, ...variants.map(({ prices }) => prices)]
  const entries = sheets.flatMap((one) => Object.values(one))
  const tiers = entries.flatMap((entry) => entry?.price.tiers ?? [])
  /** Tier n is for requests of more input tokens than `above[n - 1]`. */
  const above = [...new Set(tiers.map((tier) => tier.above))].sort((a, b) => a - b)
  const pricesOf = (kind: PriceKind) =>
    sheets.flatMap((one) =>
      [0, ...above.map((start) => start + 1)].map((at) => priceAt(one[kind], at)),
    )
  // By kind; the tiers of the first sheet, then those of the second, and so on.
  return { above, sheets: sheets.length, prices: ofKinds(pricesOf) }
}

/** The price for requests of so many input tokens. */
export function priceAt(
  entry: SheetPrice | undefined,
  inputTokens: Tokens,
): UsdPerMillion | undefined {
  const tier = entry?.price.tiers.findLast(({ above }) => inputTokens > above)
  return tier?.price ?? entry?.price.base
}

/** Something for each kind of price. */
export function ofKinds<Value>(of: (kind: PriceKind) => Value): Readonly<Record<PriceKind, Value>> {
  return {
    input: of('input'),
    cachedRead: of('cachedRead'),
    cacheWrite: of('cacheWrite'),
    output: of('output'),
  }
}

/** The tier of a request, found by its input tokens and its price class: 0 for the first sheet. */
export function tierOf({ above }: PriceTiers, inputTokens: Tokens, priceClass = 0): number {
  let tier = 0
  while (tier < above.length && inputTokens > (above[tier] as Tokens)) tier++
  return priceClass * (above.length + 1) + tier
}

export function emptySums({ above, sheets }: PriceTiers): TokenSums[] {
  return Array.from({ length: (above.length + 1) * sheets }, () => ({
    input: 0,
    read: 0,
    written: 0,
    fresh: 0,
    output: 0,
  }))
}

/** Adds the tokens of one request to the sums of its tier. */
export function addRequest(
  sums: readonly TokenSums[],
  tiers: PriceTiers,
  input: Tokens,
  split: CacheSplit,
  output: Tokens,
  priceClass = 0,
): void {
  const sum = sums[tierOf(tiers, input, priceClass)] as TokenSums
  sum.input += input
  sum.read += split.read
  sum.written += split.written
  sum.fresh += split.fresh
  sum.output += output
}

/** The costs of token sums, given by tier. */
export function applyPrices(
  { prices }: Pick<PriceTiers, 'prices'>,
  sums: readonly TokenSums[],
): Costs {
  let [plain, cached, output] = [0, 0, 0]
  for (const [tier, tokens] of sums.entries()) {
    plain += priceOf(tokens.input, prices.input[tier])
    cached += priceOf(tokens.fresh, prices.input[tier])
    cached += priceOf(tokens.written, prices.cacheWrite[tier])
    cached += priceOf(tokens.read, prices.cachedRead[tier])
    output += priceOf(tokens.output, prices.output[tier])
  }
  return { plain: usdOf(plain), cached: usdOf(cached), output: usdOf(output) }
}

export function requestCosts(
  { prices }: PriceTiers,
  tier: number,
  input: Tokens,
  split: CacheSplit,
  output: Tokens,
): Costs {
  const of = ofKinds((kind) => [prices[kind][tier]])
  return applyPrices({ prices: of }, [{ input, ...split, output }])
}

/** NaN if the price is unknown; no tokens cost nothing at any price. */
export function priceOf(tokens: Tokens, price: UsdPerMillion | undefined): number {
  return tokens === 0 ? 0 : tokens * (price ?? Number.NaN)
}

export function usdOf(millionths: number): Usd | undefined {
  return Number.isNaN(millionths) ? undefined : millionths / 1e6
}
