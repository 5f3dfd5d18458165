import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { flatPrices } from '../testing/test-sessions'
import type { PriceSheet } from './price-sheet'
import {
  type CacheRule,
  type CacheSplit,
  type CacheView,
  cachedTokens,
  sharedTokens,
} from './prompt-cache'
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

  test('a breakpoint rule with a lower minimum reads the first request again', () => {
    const rule: CacheRule = {
      kind: 'breakpoint',
      minimumTokens: 512,
      stepTokens: 1,
      lookBack: undefined,
      isHeadMarked: false,
    }
    const { requests } = replayFour(rule, flatPrices(1, 0.1, 1.25, 2))
    expect(requests.map((request) => request.after.split)).toEqual([
      split(0, 1000, 0),
      split(1000, 1050, 0),
      split(1000, 2150, 0),
      split(1000, 750, 0),
    ])
  })

  test('a look-back of three blocks no longer finds the first request after masking', () => {
    const rule: CacheRule = {
      kind: 'breakpoint',
      minimumTokens: 512,
      stepTokens: 1,
      lookBack: { unit: 'blocks', count: 3 },
      isHeadMarked: false,
    }
    const { requests } = replayFour(rule, flatPrices(1, 0.1, 1.25, 2))
    expect(requests.map(({ before }) => before.split.read)).toEqual([0, 1000, 2050, 4100])
    // Request 1 ends 2 blocks before the end of request 2, 4 before that of request 3.
    expect(requests.map(({ after }) => after.split.read)).toEqual([0, 1000, 0, 0])
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

describe('leading tokens in the cache', () => {
  /** Request 2 begins with request 0 as a whole; its message of block 4 ends it. */
  const VIEW: CacheView = {
    ends: [1, 2, 4],
    tokens: [1000, 1500, 4000],
    headTokens: 300,
    longestShared: () => 1250,
    wholeRequest: (request) => (request === 2 ? 0 : undefined),
    longestUnit: () => 1100,
    blocksUpTo: (message) => message,
    startsCold: () => false,
    warmTokens: 700,
  }
  const prefix: CacheRule = { kind: 'prefix', minimumTokens: 1024, stepTokens: 128 }
  const units = (intervalTokens?: number): CacheRule => ({
    kind: 'units',
    minimumTokens: 1024,
    intervalTokens,
  })
  const breakpoint = (unit?: 'blocks' | 'requests', count = 0, isHeadMarked = true): CacheRule => ({
    kind: 'breakpoint',
    minimumTokens: 1024,
    stepTokens: 1,
    lookBack: unit && { unit, count },
    isHeadMarked,
  })

  test.each<[string, CacheRule, number, Partial<CacheView>, number]>([
    ['none without a cache, though the cache is warm', { kind: 'none' }, 0, {}, 0],
    ['none where all has expired', prefix, 2, { startsCold: () => true }, 0],
    ['those before the first request', prefix, 0, {}, 700],
    ['none before the first request', prefix, 0, { warmTokens: undefined }, 0],
    ['a prefix', prefix, 2, {}, 1250],
    ['a unit', units(), 2, {}, 1100],
    ['a unit that is longer than whole intervals', units(500), 2, {}, 1100],
    ['whole intervals that are longer than a unit', units(400), 2, {}, 1200],
    ['an earlier request', breakpoint(), 2, {}, 1000],
    ['a head that is longer', breakpoint(), 2, { headTokens: 1200 }, 1200],
    ['the head without an earlier request', breakpoint(), 1, {}, 300],
    ['nothing without a marked head', breakpoint(undefined, 0, false), 1, {}, 0],
    ['one of the last two requests', breakpoint('requests', 2), 2, {}, 1000],
    ['the last request', breakpoint('requests', 1), 2, { wholeRequest: () => 1 }, 1500],
    ['not the one before the last', breakpoint('requests', 1), 2, {}, 300],
    ['a request three blocks back of four', breakpoint('blocks', 4), 2, {}, 1000],
    ['not three blocks back of three', breakpoint('blocks', 3), 2, {}, 300],
  ])('%s', (_, rule, request, changed, expected) => {
    expect(sharedTokens(rule, { ...VIEW, ...changed }, request)).toBe(expected)
  })

  test('units are stored to the token, prefixes in steps, from the minimum on', () => {
    const stored = (rule: CacheRule) => [1023, 1024, 1151].map((at) => cachedTokens(rule, at))
    expect(stored(units())).toEqual([0, 1024, 1151])
    expect(stored(prefix)).toEqual([0, 1024, 1024])
    expect(stored({ kind: 'none' })).toEqual([0, 0, 0])
  })
})
