import { type CacheFamily, cacheFamilyById } from '../cache-rules'
import { type PriceSheet, timesSheet } from '../price-sheet'
import type { PriceVariant } from '../request-terms'
import { serviceFactorOf } from '../service-prices'
import type { SessionRequest } from '../sessions'

/**
 * The prices of requests that the usage of a document shows to be of another model or service, or to write for an hour. Without
 * `pricesOf`, all requests have the prices of one model. A model without a known price has those of the main one;
 * one without a price for the cache has its input price there.
 */
export function priceVariantsOf(
  sessions: readonly { readonly requests: readonly Pick<SessionRequest, 'usage'>[] }[],
  { model: main, pricesOf, ...pricesOfMain }: VariantPrices,
): PriceVariant[] {
  const usages = sessions.flatMap(({ requests }) => requests.flatMap(({ usage }) => usage ?? []))
  const variants: PriceVariant[] = []
  const add = (variant: Required<Omit<PriceVariant, 'prices'>>, prices?: PriceSheet) => {
    if (prices?.input === undefined) return
    const isKnown = variants.some(
      ({ model, hasHourWrites, factor }) =>
        model === variant.model &&
        hasHourWrites === variant.hasHourWrites &&
        factor === variant.factor,
    )
    const { input, cachedRead = input, cacheWrite = input, output } = prices
    const own = timesSheet({ input, cachedRead, cacheWrite, output }, variant.factor)
    if (!isKnown) variants.push({ ...variant, prices: own })
  }
  for (const usage of usages) {
    const { model, cacheWriteHourTokens: hour } = usage
    const isHour = (hour ?? 0) > 0
    const factor = serviceFactorOf(usage)
    const key = pricesOf && model
    const other = key === undefined || key === main ? undefined : pricesOf?.(key)
    const { family, sheetOfFamily } = other ?? pricesOfMain
    // The same family with entries that live for an hour.
    const hourFamily = cacheFamilyById(`${family.id.replace(/-1h$/, '')}-1h`)
    if (other !== undefined || factor !== 1)
      add({ model: key, hasHourWrites: false, factor }, sheetOfFamily(family))
    if (isHour && hourFamily !== undefined)
      add({ model: key, hasHourWrites: true, factor }, sheetOfFamily(hourFamily))
  }
  return variants
}

interface ModelPrices {
  readonly family: CacheFamily
  readonly sheetOfFamily: (family: CacheFamily) => PriceSheet
}

export interface VariantPrices extends ModelPrices {
  readonly model: string
  /** The prices of another model. */
  readonly pricesOf?: ((model: string) => ModelPrices) | undefined
}
