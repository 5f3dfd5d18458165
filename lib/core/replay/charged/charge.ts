/** What the provider's own usage costs by the prices in use. */
import type { Usage } from '../../conversation/usage'
import { type CacheFamily, cacheFamilyById } from '../cache-rules'
import { ofKinds, type PriceKind, type PriceSheet, priceAt, priceOf, usdOf } from '../price-sheet'
import type { ReplaySide } from '../replay'
import type { CostTerms, PriceVariant } from '../request-terms'
import type { Session, SessionRequest } from '../sessions'
import type { Tokens, Usd } from '../units'

/** Tokens and costs that were charged for requests; undefined where one of them does not state it. */
export interface Charge {
  /** Number of requests whose usage is stated. */
  readonly requests: number
  /** All input, including what the cache read and wrote. */
  readonly inputTokens: Tokens | undefined
  readonly readTokens: Tokens | undefined
  readonly writtenTokens: Tokens | undefined
  readonly writtenHourTokens: Tokens | undefined
  readonly outputTokens: Tokens | undefined
  readonly reasoningTokens: Tokens | undefined
  readonly inputCost: Usd | undefined
  readonly outputCost: Usd | undefined
}

/**
 * The charge for one request. Its cost is unknown if prompts are cached and the usage does not say what was read. Where
 * it does not say what was written, and the rule writes what it does not read, the rest was written.
 */
export function chargeOf(usage: Usage, terms: CostTerms): Charge {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const [input, read] = [inputTokens ?? 0, cacheReadTokens ?? 0]
  const unread = Math.max(0, input - read)
  const written = cacheWriteTokens ?? (terms.rule.kind === 'breakpoint' ? unread : 0)
  const hour = usage.cacheWriteHourTokens
  const sheet = sheetOf(terms, usage.model, false)
  const cost = (tokens: Tokens, kind: PriceKind, from = sheet) =>
    priceOf(tokens, priceAt(from[kind], input))
  const inputCost =
    cost(Math.max(0, unread - written), 'input') +
    cost(read, 'cachedRead') +
    cost(written - (hour ?? 0), 'cacheWrite') +
    cost(hour ?? 0, 'cacheWrite', sheetOf(terms, usage.model, true))
  const isKnown =
    inputTokens !== undefined && (cacheReadTokens !== undefined || terms.rule.kind === 'none')
  return {
    requests: 1,
    inputTokens,
    readTokens: cacheReadTokens,
    writtenTokens: cacheWriteTokens,
    writtenHourTokens: hour,
    outputTokens,
    reasoningTokens: usage.reasoningTokens,
    inputCost: isKnown ? usdOf(inputCost) : undefined,
    outputCost: outputTokens === undefined ? undefined : usdOf(cost(outputTokens, 'output')),
  }
}

function sheetOf(
  { prices, variants = [] }: Pick<CostTerms, 'prices' | 'variants'>,
  model: string | undefined,
  isHour: boolean,
): PriceSheet {
  const fits = (variant: PriceVariant) =>
    variant.hasHourWrites === isHour && (variant.model === undefined || variant.model === model)
  return variants.find(fits)?.prices ?? prices
}

/** What the input would have cost, had the requests been masked: the charge, changed as the replay is. */
export function chargeIfMasked(
  { inputCost }: Charge,
  { before, after }: { readonly before: ReplaySide; readonly after: ReplaySide },
): Usd | undefined {
  const [from, to] = [before.costs.cached, after.costs.cached]
  if (inputCost === undefined || from === undefined || to === undefined || from === 0)
    return undefined
  return (inputCost * to) / from
}

/** The charges of a session: by request where they are stated so, else those of the whole conversation. */
export function chargesOf({ requests, conversation }: Session, terms: CostTerms): Charge[] {
  const charges = requests.flatMap(({ usage }) => (usage ? [chargeOf(usage, terms)] : []))
  const { usageTotal } = conversation
  if (charges.length > 0 || usageTotal === undefined) return charges
  const total = chargeOf(usageTotal, {
    rule: terms.rule,
    prices: withoutTiers(terms.prices),
  })
  return [{ ...total, requests: usageTotal.requests ?? requests.length }]
}

/** Prices for tokens of several requests, none of which is long by itself. */
function withoutTiers(prices: PriceSheet): PriceSheet {
  return ofKinds((kind) => {
    const entry = prices[kind]
    return entry && { ...entry, price: { base: entry.price.base, tiers: [] } }
  })
}

/** The sum of charges. A number that none of them states is undefined; one that only some state is the sum of these. */
export function sumCharges(charges: readonly Charge[]): Charge {
  const sum = (key: keyof Charge): number | undefined => {
    const known = charges.flatMap((charge) => charge[key] ?? [])
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
  }
  /** Unknown if a charge has tokens without a cost. */
  const cost = (tokens: 'inputTokens' | 'outputTokens', key: 'inputCost' | 'outputCost') =>
    charges.some((charge) => charge[tokens] !== undefined && charge[key] === undefined)
      ? undefined
      : sum(key)
  return {
    requests: sum('requests') ?? 0,
    inputTokens: sum('inputTokens'),
    readTokens: sum('readTokens'),
    writtenTokens: sum('writtenTokens'),
    writtenHourTokens: sum('writtenHourTokens'),
    outputTokens: sum('outputTokens'),
    reasoningTokens: sum('reasoningTokens'),
    inputCost: cost('inputTokens', 'inputCost'),
    outputCost: cost('outputTokens', 'outputCost'),
  }
}

/**
 * The prices of requests that the usage of a document shows to be of another model, or to write for an hour. Without
 * `sheetOfModel`, all requests have the prices of one model. A model without a known price has those of the main one;
 * one without a price for the cache has its input price there.
 */
export function priceVariantsOf(
  sessions: readonly { readonly requests: readonly Pick<SessionRequest, 'usage'>[] }[],
  { model: main, family, sheetOfFamily, sheetOfModel }: VariantPrices,
): PriceVariant[] {
  const usages = sessions.flatMap(({ requests }) => requests.flatMap(({ usage }) => usage ?? []))
  const variants: PriceVariant[] = []
  const add = (model: string | undefined, hasHourWrites: boolean, prices?: PriceSheet) => {
    if (prices?.input === undefined) return
    const isKnown = variants.some(
      (other) => other.model === model && other.hasHourWrites === hasHourWrites,
    )
    const { input, cachedRead = input, cacheWrite = input, output } = prices
    const own = { input, cachedRead, cacheWrite, output }
    if (!isKnown) variants.push({ model, hasHourWrites, prices: own })
  }
  for (const { model, cacheWriteHourTokens: hour } of usages) {
    const isHour = (hour ?? 0) > 0
    if (sheetOfModel !== undefined && model !== undefined && model !== main) {
      add(model, false, sheetOfModel(model, false))
      if (isHour) add(model, true, sheetOfModel(model, true))
    } else if (isHour) {
      const hourFamily = hourFamilyOf(family)
      const key = sheetOfModel === undefined ? undefined : model
      if (hourFamily !== undefined) add(key, true, sheetOfFamily(hourFamily))
    }
  }
  return variants
}

export interface VariantPrices {
  readonly model: string
  readonly family: CacheFamily
  readonly sheetOfFamily: (family: CacheFamily) => PriceSheet
  /** The prices of another model, for entries of five minutes or an hour. */
  readonly sheetOfModel?: ((model: string, isHour: boolean) => PriceSheet | undefined) | undefined
}

/** The same family with entries that live for an hour; undefined if it has none. */
export function hourFamilyOf({ id }: CacheFamily): CacheFamily | undefined {
  return cacheFamilyById(id.endsWith('-1h') ? id : `${id}-1h`)
}
