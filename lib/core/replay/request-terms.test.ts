import { describe, expect, test } from 'vitest'
import type { Usage } from '../conversation/usage'
import { flatPrices, prefixRule } from '../testing/test-sessions'
import { usageWith } from '../testing/usage-with'
import type { CacheRule } from './prompt-cache'
import { hasHourWrites, type PriceVariant, requestTermsOf } from './request-terms'

const HOUR_WRITES = { cacheWriteTokens: 100, cacheWriteHourTokens: 100 }

/** Requests with some members of their usage, `undefined` for one without usage, sent at these seconds. */
const requestsOf = (usages: readonly (Partial<Usage> | undefined)[], ...seconds: number[]) =>
  usages.map((usage, index) => ({
    ...{ end: index + 1, turnCount: 0, answer: undefined },
    usage: usage && usageWith(usage),
    sentAt: seconds.length === 0 ? undefined : (seconds[index] as number) * 1000,
  }))

const variant = (model: string | undefined, hasHours: boolean): PriceVariant => ({
  ...{ model, hasHourWrites: hasHours, prices: flatPrices(1, 1, 1, 1) },
})

const lasting = (lifetimeSeconds: number): CacheRule => ({ ...prefixRule(), lifetimeSeconds })

describe('the cache', () => {
  test('expires if a request comes later than its lifetime after the one before', () => {
    const requests = requestsOf([{}, {}, {}, {}], 0, 300, 601, 700)
    const { startsCold, lastCold } = requestTermsOf(requests, lasting(300))
    expect([...startsCold]).toEqual([0, 0, 1, 0])
    // By number of requests.
    expect([...lastCold]).toEqual([0, 0, 0, 2, 2])
  })

  test('lives for an hour after a request that writes for an hour, if these have prices', () => {
    const requests = requestsOf([HOUR_WRITES, {}, {}, {}], 0, 3600, 3901, 9000)
    const cold = (rule: CacheRule, ...variants: readonly PriceVariant[]) => [
      ...requestTermsOf(requests, rule, variants).startsCold,
    ]
    expect(cold(lasting(300), variant(undefined, true))).toEqual([0, 0, 1, 1])
    expect(cold(lasting(300))).toEqual([0, 1, 1, 1])
    // Nothing is known of the entries that the second request writes.
    expect(cold(prefixRule(), variant(undefined, true))).toEqual([0, 0, 0, 0])
  })

  test('is empty after a change of model, if models have prices of their own', () => {
    const [a, b] = [{ model: 'a' }, { model: 'b' }]
    const requests = requestsOf([a, b, undefined, {}, b, a])
    const cold = (...variants: readonly PriceVariant[]) => [
      ...requestTermsOf(requests, prefixRule(), variants).startsCold,
    ]
    expect(cold(variant('b', false))).toEqual([0, 1, 0, 0, 0, 1])
    expect(cold(variant(undefined, true), variant('b', false))).toEqual([0, 1, 0, 0, 0, 1])
    expect(cold(variant(undefined, true))).toEqual([0, 0, 0, 0, 0, 0])
    expect(cold()).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('the prices of a request', () => {
  test('are those of its model and of the lifetime that it writes for', () => {
    const [a, b] = [{ model: 'a' }, { model: 'b' }]
    const both = [b, a].map((model) => ({ ...model, ...HOUR_WRITES }))
    const requests = requestsOf([a, b, ...both, undefined])
    const classes = (...variants: readonly PriceVariant[]) =>
      requestTermsOf(requests, prefixRule(), variants).priceClass.join()
    const own = [variant('b', false), variant('b', true), variant(undefined, true)]
    expect([classes(...own), classes()]).toEqual(['0,1,2,3,0', '0,0,0,0,0'])
  })

  test('are those of an hour if half of what it writes lives for an hour', () => {
    const of = (cacheWriteHourTokens: number | undefined, cacheWriteTokens: number | undefined) =>
      hasHourWrites(usageWith({ cacheWriteHourTokens, cacheWriteTokens }))
    expect([of(50, 100), of(49, 100), of(1, undefined)]).toEqual([true, false, true])
    expect([of(5, 10), of(5, 11), of(5, undefined)]).toEqual([true, false, true])
    expect([of(0, 0), of(0, undefined), of(undefined, 0), of(undefined, 9)]).not.toContain(true)
  })
})
