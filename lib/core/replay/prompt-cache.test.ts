import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { flatPrices } from '../testing/test-sessions'
import type { PriceSheet } from './price-sheet'
import type { CacheRule, CacheSplit } from './prompt-cache'
import { replay } from './replay'
import { fourRequests } from './testing/four-requests'

/** `four-requests` lists their sizes, with a window of one turn too. */
function replayFour(rule: CacheRule, sheet: PriceSheet) {
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const sources = { textOf: () => '', placeholderTokensOf: () => 40 }
  return replay(fourRequests(), policy, sources, { prices: sheet, rule })
}

const split = (read: number, written: number, fresh: number): CacheSplit => ({
  read,
  written,
  fresh,
})

describe('four requests calculated by hand', () => {
  test('without a cache every token is fresh', () => {
    const { requests, before, after, outputTokens } = replayFour(
      { kind: 'none' },
      flatPrices(1, 0.1, 1.25, 2),
    )
    expect(requests.map((request) => request.before.tokens)).toEqual([1000, 2050, 4100, 4650])
    expect(requests.map((request) => request.after.tokens)).toEqual([1000, 2050, 3150, 1750])
    // The answers: three calls of 50 and one text of 200.
    expect(requests.map((request) => request.outputTokens)).toEqual([50, 50, 50, 200])
    expect(outputTokens).toBe(350)
    // Dollars for a million tokens: 11,800 and 7,950 at 1; 350 at 2 is 700.
    expect(before.costs).toEqual({ plain: 0.0118, cached: 0.0118, output: 0.0007 })
    expect(after.costs).toEqual({ plain: 0.00795, cached: 0.00795, output: 0.0007 })
  })

  test('a prefix rule reads whole steps of 128 from 1,024 on', () => {
    const rule: CacheRule = { kind: 'prefix', minimumTokens: 1024, stepTokens: 128 }
    const { requests, before, after } = replayFour(rule, flatPrices(1, 0.1, 1, 2))
    expect(requests.map((request) => request.before.split)).toEqual([
      // 1,000 is 7 steps, 896: under the minimum.
      split(0, 0, 1000),
      // Shares those 1,000: nothing to read. 2,050 is 16 steps, 2,048.
      split(0, 2048, 2),
      // Shares 2,050, 16 steps. 4,100 is 32 steps, 4,096: 2,048 of them new.
      split(2048, 2048, 4),
      // Shares 4,100, 32 steps. 4,650 is 36 steps, 4,608: 512 of them new.
      split(4096, 512, 42),
    ])
    expect(requests.map((request) => request.after.split)).toEqual([
      split(0, 0, 1000),
      split(0, 2048, 2),
      // A, message 2, is new: shares 100 + 900 + 50 = 1,050, 8 steps, 1,024. 3,150 is 24 steps, 3,072.
      split(1024, 2048, 78),
      // B, message 4, is new: shares 1,050 + 50 (A masked) + 50 = 1,150, 8 steps. 1,750 is 13 steps, 1,664.
      split(1024, 640, 86),
    ])
    expect(requests.map(({ firstChanged }) => firstChanged)).toEqual([undefined, 1, 2, 4])
    // Read 2,048 + 4,096 = 6,144, the other 5,656 at 1: 5,656 + 614.4 = 6,270.4.
    expect(before.costs.cached).toBe(0.0062704)
    // Read 1,024 + 1,024 = 2,048, the other 5,902 at 1: 5,902 + 204.8 = 6,106.8.
    expect(after.costs.cached).toBe(0.0061068)
  })

  test('a breakpoint rule reads up to the end of an unchanged request or nothing', () => {
    const rule: CacheRule = {
      kind: 'breakpoint',
      minimumTokens: 1024,
      stepTokens: 1,
      lookBack: undefined,
      isHeadMarked: false,
    }
    const { requests, before, after } = replayFour(rule, flatPrices(1, 0.1, 1.25, 2))
    expect(requests.map((request) => request.before.split)).toEqual([
      // Under the minimum: neither read nor written.
      split(0, 0, 1000),
      split(0, 2050, 0),
      split(2050, 2050, 0),
      split(4100, 550, 0),
    ])
    expect(requests.map((request) => request.after.split)).toEqual([
      split(0, 0, 1000),
      split(0, 2050, 0),
      // Request 2 sent A as it was, and request 1 was too short to be kept.
      split(0, 3150, 0),
      // Request 3 sent B as it was, request 2 sent A as it was.
      split(0, 1750, 0),
    ])
    // Fresh 1,000; written 2,050 + 2,050 + 550 = 4,650 at 1.25 is 5,812.5; read 6,150 at 0.1 is 615.
    expect(before.costs.cached).toBe(0.0074275)
    // Fresh 1,000; written 2,050 + 3,150 + 1,750 = 6,950 at 1.25 is 8,687.5: more expensive than sending everything.
    expect(after.costs.cached).toBe(0.0096875)
  })

  test.each([
    ['without a look-back', undefined, [0, 1000, 1000, 1000]],
    // Request 1 ends 2 blocks before the end of request 2, 4 before that of request 3.
    ['with one of three blocks', { unit: 'blocks', count: 3 }, [0, 1000, 0, 0]],
  ] as const)('a breakpoint rule with a lower minimum, %s', (_, lookBack, reads) => {
    const rule = { kind: 'breakpoint', minimumTokens: 512, stepTokens: 1, lookBack } as const
    const { requests } = replayFour({ ...rule, isHeadMarked: false }, flatPrices(1, 0.1, 1.25, 2))
    expect(requests.map(({ before }) => before.split.read)).toEqual([0, 1000, 2050, 4100])
    expect(requests.map(({ after }) => after.split)).toEqual(
      [1000, 2050, 3150, 1750].map((tokens, at) =>
        split(reads[at] ?? 0, tokens - (reads[at] ?? 0), 0),
      ),
    )
  })

  test('a long request pays the price of its tier for all of its tokens', () => {
    const tiered = { base: 1, tiers: [{ above: 4000, price: 2 }] }
    const sheet: PriceSheet = {
      ...flatPrices(1, 0.1, 1, 2),
      input: { price: tiered, origin: 'user' },
    }
    const { before, after } = replayFour({ kind: 'none' }, sheet)
    // Requests 3 and 4 are 4,100 and 4,650 before masking: 1,000 + 2,050 + 2 x 8,750.
    expect(before.costs.plain).toBe(0.02055)
    expect(after.costs.plain).toBe(0.00795)
  })

  test('an unknown price makes only the costs that need it unknown', () => {
    const sheet: PriceSheet = { ...flatPrices(1, 0.1, 1, 2), cachedRead: undefined }
    const rule: CacheRule = { kind: 'prefix', minimumTokens: 1024, stepTokens: 128 }
    const { before } = replayFour(rule, sheet)
    expect(before.costs).toEqual({ plain: 0.0118, cached: undefined, output: 0.0007 })
  })
})
