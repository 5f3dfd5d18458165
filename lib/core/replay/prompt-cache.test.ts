import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { flatPrices, prefixRule } from '../testing/test-sessions'
import type { PriceSheet } from './price-sheet'
import type { CacheRule } from './prompt-cache'
import { replay } from './replay'
import { fourRequests } from './testing/four-requests'

/** `four-requests` lists their sizes, with a window of one turn too. */
function replayFour(rule: CacheRule, sheet: PriceSheet) {
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const sources = { textOf: () => '', placeholderTokensOf: () => 40 }
  return replay(fourRequests(), policy, sources, { prices: sheet, rule })
}

describe('four requests calculated by hand', () => {
  test('without a cache every token is fresh', () => {
    const sheet = flatPrices(1, 0.1, 1.25, 2)
    const { requests, before, after, outputTokens } = replayFour({ kind: 'none' }, sheet)
    expect(requests.map((request) => request.before.tokens)).toEqual([1000, 2050, 4100, 4650])
    expect(requests.map((request) => request.after.tokens)).toEqual([1000, 2050, 3150, 1750])
    // The answers: three calls of 50 and one text of 200.
    expect(requests.map((request) => request.outputTokens)).toEqual([50, 50, 50, 200])
    expect(outputTokens).toBe(350)
    // Dollars for a million tokens: 11,800 and 7,950 at 1; 350 at 2 is 700.
    expect(before.costs).toEqual({ plain: 0.0118, cached: 0.0118, output: 0.0007 })
    expect(after.costs).toEqual({ plain: 0.00795, cached: 0.00795, output: 0.0007 })
  })

  test('a long request pays the price of its tier for all of its tokens', () => {
    const tiered = { base: 1, tiers: [{ above: 4000, price: 2 }] }
    const input = { price: tiered, origin: 'user' } as const
    const { before, after } = replayFour({ kind: 'none' }, { ...flatPrices(1, 0.1, 1, 2), input })
    // Requests 3 and 4 are 4,100 and 4,650 before masking: 1,000 + 2,050 + 2 x 8,750.
    expect(before.costs.plain).toBe(0.02055)
    expect(after.costs.plain).toBe(0.00795)
  })

  test('an unknown price makes only the costs that need it unknown', () => {
    const sheet = { ...flatPrices(1, 0.1, 1, 2), cachedRead: undefined }
    const { before } = replayFour(prefixRule(1024, 128), sheet)
    expect(before.costs).toEqual({ plain: 0.0118, cached: undefined, output: 0.0007 })
  })
})
