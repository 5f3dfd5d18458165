/** What the times and the usage of a session say about each of its requests: its prices, and whether its cache expired. */
import type { Usage } from '../conversation/conversation'
import type { PriceSheet } from './price-sheet'
import type { CacheRule } from './prompt-cache'
import { serviceFactorOf } from './service-prices'
import type { SessionRequest } from './sessions'

/** The prices and the cache rule that costs are computed with. */
export interface CostTerms {
  readonly prices: PriceSheet
  readonly rule: CacheRule
  /** Prices of the requests whose usage names another model or one-hour writes. */
  readonly variants?: readonly PriceVariant[]
  /** Whose misses are expected, such as `anthropic`; undefined for any. */
  readonly provider?: string | undefined
}

/** Prices of requests of another model or service, or whose cache entries live for an hour. */
export interface PriceVariant {
  /** The model that the usage names; undefined for any. */
  readonly model: string | undefined
  readonly hasHourWrites: boolean
  /** That of its service, on all prices; 1 if it is missing. */
  readonly factor?: number
  readonly prices: PriceSheet
}

const HOUR_SECONDS = 3600

/** True if the usage shows cache entries that live for an hour: more of them than of the shorter-lived. */
export function hasHourWrites({ cacheWriteHourTokens: hour, cacheWriteTokens: all }: Usage) {
  return hour !== undefined && hour > 0 && hour * 2 >= (all ?? 0)
}

/**
 * Entries expire when the next request comes later than their lifetime. Every request reads what it shares with the one
 * before, and reading renews an entry, so only the time since the request before counts. Requests without a time, and
 * rules without a lifetime, expire nothing. A change of model starts with an empty cache, since each model has its own.
 */
export function requestTermsOf(
  requests: readonly SessionRequest[],
  rule: CacheRule,
  variants: readonly PriceVariant[] = [],
) {
  /** By request: 0 for the prices of the terms, or a number above the index of a variant. */
  const priceClass = new Uint8Array(requests.length)
  /** By request: 1 if nothing that was sent before is still in the cache. */
  const startsCold = new Uint8Array(requests.length)
  /** By number of requests: the last of these that starts cold, or 0. */
  const lastCold = new Int32Array(requests.length + 1)
  const lifetime = rule.kind === 'none' ? undefined : rule.lifetimeSeconds
  const hasModels = variants.some(({ model }) => model !== undefined)
  let model: string | undefined
  let livesUntil = Number.POSITIVE_INFINITY
  for (const [index, { usage, sentAt }] of requests.entries()) {
    const found = usage === undefined ? -1 : variants.findIndex((variant) => isOf(variant, usage))
    priceClass[index] = found + 1
    if (sentAt !== undefined && sentAt > livesUntil) startsCold[index] = 1
    const named = usage?.model
    if (hasModels && named !== undefined) {
      if (model !== undefined && named !== model) startsCold[index] = 1
      model = named
    }
    lastCold[index + 1] = startsCold[index] === 1 ? index : (lastCold[index] as number)
    const seconds = variants[found]?.hasHourWrites === true ? HOUR_SECONDS : lifetime
    if (sentAt !== undefined)
      livesUntil = seconds === undefined ? Number.POSITIVE_INFINITY : sentAt + seconds * 1000
  }
  return { priceClass, startsCold, lastCold }
}

function isOf({ model, hasHourWrites: isHour, factor = 1 }: PriceVariant, usage: Usage): boolean {
  return (
    (model === undefined || model === usage.model) &&
    isHour === hasHourWrites(usage) &&
    factor === serviceFactorOf(usage)
  )
}
