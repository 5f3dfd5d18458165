import { describe, expect, test } from 'vitest'
import {
  addRequest,
  applyPrices,
  emptySums,
  type PriceSheet,
  priceTiers,
  requestCosts,
  tierOf,
  UNKNOWN_PRICES,
} from './price-sheet'

type Tiers = readonly (readonly [above: number, price: number])[]

function price(base: number, ...tiers: Tiers) {
  const listed = tiers.map(([above, own]) => ({ above, price: own }))
  return { price: { base, tiers: listed }, origin: 'user' } as const
}

/** Input is dearer above 100 tokens and above 300, output above 200, reads above 300. */
const SHEET: PriceSheet = {
  input: price(10, [100, 20], [300, 40]),
  cachedRead: price(1, [300, 4]),
  cacheWrite: price(12),
  output: price(50, [200, 60]),
}
const OTHER: PriceSheet = {
  input: price(1000),
  cachedRead: price(100),
  cacheWrite: price(2000),
  output: price(5000),
}

describe('the prices of a request', () => {
  const tiersOf = () => priceTiers(SHEET, [{ prices: OTHER }])

  test('have the tiers of all kinds and sheets', () => {
    const tiers = tiersOf()
    expect(tiers.above).toEqual([100, 200, 300])
    expect(tiers.sheets).toBe(2)
    expect(tiers.prices.input).toEqual([10, 20, 20, 40, 1000, 1000, 1000, 1000])
    expect(tiers.prices.cachedRead).toEqual([1, 1, 1, 4, 100, 100, 100, 100])
    expect(tiers.prices.cacheWrite).toEqual([12, 12, 12, 12, 2000, 2000, 2000, 2000])
    expect(tiers.prices.output).toEqual([50, 50, 60, 60, 5000, 5000, 5000, 5000])
    for (const sheet of [OTHER, UNKNOWN_PRICES]) expect(priceTiers(sheet).above).toEqual([])
    expect(priceTiers(OTHER).sheets).toBe(1)
  })

  test('are those of the last limit that it exceeds, in its class', () => {
    const tiers = tiersOf()
    expect([0, 100, 101, 300, 301].map((tokens) => tierOf(tiers, tokens))).toEqual([0, 0, 1, 2, 3])
    expect(tierOf(tiers, 150, 1)).toBe(5)
  })

  test('are multiplied with its tokens, in dollars per million', () => {
    const tiers = tiersOf()
    const split = { read: 200, written: 30, fresh: 70 }
    expect(requestCosts(tiers, 1, 300, split, 7)).toEqual({
      plain: (300 * 20) / 1e6,
      cached: (200 * 1 + 30 * 12 + 70 * 20) / 1e6,
      output: (7 * 50) / 1e6,
    })
  })

  test('are unknown only for tokens that it has', () => {
    const known = { ...UNKNOWN_PRICES, input: price(10) }
    const split = { read: 0, written: 0, fresh: 100 }
    expect(requestCosts(priceTiers(known), 0, 100, split, 1)).toEqual({
      plain: 0.001,
      cached: 0.001,
      output: undefined,
    })
    const read = { read: 1, written: 0, fresh: 99 }
    expect(requestCosts(priceTiers(known), 0, 100, read, 0)).toEqual({
      plain: 0.001,
      cached: undefined,
      output: 0,
    })
  })
})

test('the sums of requests cost what the requests cost', () => {
  const tiers = priceTiers(SHEET, [{ prices: OTHER }])
  const sums = emptySums(tiers)
  expect(sums).toHaveLength(8)
  const requests = [
    { input: 90, split: { read: 10, written: 20, fresh: 60 }, output: 5, priceClass: 0 },
    { input: 80, split: { read: 30, written: 0, fresh: 50 }, output: 4, priceClass: 0 },
    { input: 400, split: { read: 100, written: 200, fresh: 100 }, output: 9, priceClass: 0 },
    { input: 400, split: { read: 300, written: 0, fresh: 100 }, output: 3, priceClass: 1 },
  ]
  let [plain, cached, output] = [0, 0, 0]
  for (const { input, split, output: answer, priceClass } of requests) {
    addRequest(sums, tiers, input, split, answer, priceClass)
    const costs = requestCosts(tiers, tierOf(tiers, input, priceClass), input, split, answer)
    plain += costs.plain as number
    cached += costs.cached as number
    output += costs.output as number
  }
  expect(sums[0]).toEqual({ input: 170, read: 40, written: 20, fresh: 110, output: 9 })
  const costs = applyPrices(tiers, sums)
  expect(costs.plain).toBeCloseTo(plain, 12)
  expect(costs.cached).toBeCloseTo(cached, 12)
  expect(costs.output).toBeCloseTo(output, 12)
})
