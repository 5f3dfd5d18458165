/** The cache rules on the examples that the providers publish. */
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { flatPrices, prefixRule } from '../testing/test-sessions'
import { CACHE_FAMILIES } from './cache-rules'
import type { PriceSheet } from './price-sheet'
import { type CacheRule, splitRequest } from './prompt-cache'
import { replay } from './replay'
import {
  costOf,
  maskedReads,
  readsOf,
  ruleOf,
  type SizedMessage,
  talk,
} from './testing/cache-reads'
import { fourRequests } from './testing/four-requests'

describe('examples of the providers', () => {
  // OpenAI: of a prompt of 2,006 tokens, 1,920 are cached. xAI: of 50, 120 and 200 tokens, 0, 50 and 120. Mistral: a
  // multiple of 64, and nothing of shorter prompts. MiniMax: calls of 512 tokens or more.
  test.each([
    ['openai-5', [2006, 300, 40], [0, 1920]],
    ['openai-4.1', [2006, 300, 40], [0, 1920]],
    ['openai-4o', [2006, 300, 40], [0, 1920]],
    ['xai', [50, 30, 40, 30, 50], [0, 50, 120]],
    ['mistral', [63, 10, 55, 10, 70], [0, 0, 128]],
    ['minimax-2.7', [511, 1, 100, 1, 9], [0, 0, 612]],
  ])('%s: of messages of %j tokens, %j are read', (id, sizes, reads) => {
    expect(readsOf(ruleOf(id), talk(...sizes))).toEqual(reads)
  })

  // Mistral's bill, GLM's in dollars a hundred million tokens, Qwen's 60 % of 10,000 tokens.
  test.each([
    ['mistral', 1008, 0, 5, 105.8],
    ['glm', 1200, 800, 0, 1400],
    ['qwen', 5000, 5000, 0, 6000],
    ['kimi-k3', 1000, 1000, 0, 1100],
    ['kimi-k3-1h', 1000, 1000, 0, 2100],
    ['openai-5.6', 2000, 1000, 0, 1450],
    ['openai-6.1', 2000, 1000, 0, 1350],
  ])('%s: %i tokens read, %i written and %i fresh cost %d', (id, read, written, fresh, cost) => {
    expect(costOf(id, { read, written, fresh })).toBeCloseTo(cost, 9)
  })

  test('Anthropic: a request of 35 blocks does not find the one of 15 blocks, a request of 34 does', () => {
    // 10 blocks, 15 blocks and 35 blocks, of 100 tokens each; the mark is at the last block of each.
    const turns = (blocks: number): SizedMessage[] => [
      ['user', 1000, 10],
      ['assistant', 100],
      ['user', 400, 4],
      ['assistant', 100],
      ['user', 100 * (blocks - 16), blocks - 16],
    ]
    expect(readsOf(ruleOf('anthropic-512'), turns(35))).toEqual([0, 1000, 0])
    expect(readsOf(ruleOf('anthropic-512'), turns(34))).toEqual([0, 1000, 1500])
  })

  test('Anthropic: the head has a mark of its own, which is found behind more than 20 blocks', () => {
    const turns = [['system', 5000] as const, ...talk(100, 100), ['user', 3000, 30] as const]
    for (const { id } of CACHE_FAMILIES.filter(({ id }) => /^anthropic|explicit/.test(id)))
      expect(readsOf(ruleOf(id), turns)).toEqual([0, 5000])
  })

  test('OpenAI: the latest 80 breakpoints are considered, and the head has none', () => {
    // With a window as long, the last request masks the first result and shares only the system prompt with the others.
    const lastReadOf = (window: number) =>
      maskedReads(ruleOf('openai-5.6'), window, new Array(window + 1).fill(500), 2000).at(-1)
    expect(lastReadOf(79)).toBe(2000)
    expect(lastReadOf(80)).toBe(0)
  })
})

describe('DeepSeek', () => {
  test('example 1: a request A + B + C reads the unit A + B', () => {
    const turns = [['system', 100] as const, ...talk(50, 20, 30)]
    // The unit that ends with the answer is read as well.
    expect(readsOf(ruleOf('deepseek-4'), turns)).toEqual([0, 170])
  })

  test('example 2: what two requests share is read by the third', () => {
    // With a window of one, each request masks the result that was new in the one before.
    //   1: system                                       2: system, call, result 1
    //   3: differs at result 1 and shares 1,100 with 2, which ends with it whole: reads the unit of request 1, 1,100
    //   4: differs at result 2; the unit of requests 2 and 3 ends before result 1: reads 1,100
    //   5: differs at result 3; the unit of requests 3 and 4 ends before result 2: 1,100 + 40 + 100
    const reads = maskedReads(ruleOf('deepseek-4'), 1, [500, 500, 500, 500], 1000)
    expect(reads).toEqual([0, 1100, 1100, 1100, 1240])
  })

  test('an interval adds units in long inputs', () => {
    const rule: CacheRule = { kind: 'units', minimumTokens: 64, intervalTokens: 128 }
    // Request 4 shares 1,240 with request 3: nine intervals. Request 5 shares 1,380: ten.
    expect(maskedReads(rule, 1, [500, 500, 500, 500], 1000)).toEqual([0, 1100, 1100, 1152, 1280])
  })
})

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

test('a unit is read whole, whatever its length', () => {
  const rule = { kind: 'units', minimumTokens: 64 } as const
  expect(splitRequest(rule, 1001, 777)).toEqual({ read: 777, written: 224, fresh: 0 })
  expect(splitRequest(rule, 1001, 63)).toEqual({ read: 0, written: 1001, fresh: 0 })
  expect(splitRequest({ kind: 'none' }, 9, 5)).toEqual({ read: 0, written: 0, fresh: 9 })
})
