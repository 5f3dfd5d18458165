/** The difference between what was charged for a session and its plain replay, taken apart by cause. */
import { describe, expect, test } from 'vitest'
import type { Usage } from '../../conversation/conversation'
import { usageOfAnswer } from '../../formats/reading/read-usage'
import { flatPrices } from '../../testing/test-sessions'
import { cacheFamilyById, NO_CACHE } from '../cache-rules'
import { loadPriceBook } from '../price-book'
import { priceSheet, UNKNOWN_PRICES } from '../price-sheet'
import type { Session } from '../sessions'
import { fit, micro, PRICES, session, TERMS } from '../testing/eight-requests'
import { CHARGE_PARTS, chargeOf, explainCharges, sumParts } from './explain-charges'
import { priceVariantsOf } from './price-variants'

test('a session of eight requests has its difference to the plain replay taken apart', () => {
  const explained = explainCharges(session, fit, TERMS)
  expect(explained.map(({ plain }) => micro(plain.costs.cached))).toEqual([
    107 * 12.5,
    107 + 1020 * 12.5,
    1127 + 520 * 12.5,
    1647 + 1520 * 12.5,
    3167 + 220 * 12.5,
    3387 + 820 * 12.5,
    4207 + 1220 * 12.5,
    5427 + 320 * 12.5,
  ])
  const parts = sumParts(explained)
  const worked = {
    // Written once, read seven times.
    head: 10_000 * 12.5 + 7 * 10_000,
    counting: 309_505 - (90_906.5 + 195_000),
    hour_writes: 1514 * (20 - 12.5),
    expiry: 15_298 * 12.5 - (14_264 + 1034 * 12.5),
    service: 0,
    model: 0,
    compaction: 0,
    misses: 0,
    rest: 0,
  }
  expect(Object.fromEntries(CHARGE_PARTS.map((part) => [part, micro(parts[part])]))).toEqual(worked)
  expect(90_906.5 + Object.values(worked).reduce((sum, part) => sum + part)).toBe(484_896)
})

describe('the causes of a difference', () => {
  const withUsage = (change: (usage: Usage, request: number) => Usage | undefined): Session => ({
    ...session,
    requests: session.requests.map((request, index) => ({
      ...request,
      usage: change(request.usage as Usage, index),
    })),
  })
  const partsAt = (changed: Session, request: number, terms = TERMS) => {
    const found = explainCharges(changed, fit, terms).find((one) => one.request === request)
    const all = CHARGE_PARTS.map((part) => [part, micro(found?.parts[part])] as const)
    return Object.fromEntries(all.filter(([, usd]) => usd !== 0))
  }
  /** The provider read nothing for request 3, and all of its tokens were written. */
  const missed = (one: Usage, request: number) =>
    request === 3 ? { ...one, cacheReadTokens: 0, cacheWriteTokens: one.inputTokens } : one
  const lost = 12_076 * (12.5 - 1)

  test('are a miss where the provider read far less than the replay', () => {
    expect(partsAt(session, 3).misses).toBeUndefined()
    expect(partsAt(withUsage(missed), 3).misses).toBe(lost)
  })

  test('are a change of model, the compaction before the first request, or the rest', () => {
    const changed = withUsage((one, request) => ({
      ...missed(one, request),
      model: request === 2 ? undefined : request < 3 ? 'a' : 'b',
    }))
    expect(partsAt(changed, 3)).toMatchObject({ model: lost })
    const first = { ...session.conversation, followsCompaction: true }
    const warm = withUsage((one, request) =>
      request === 0 ? { ...one, cacheReadTokens: 128, cacheWriteTokens: 10_000 } : one,
    )
    expect(partsAt(warm, 0).rest).toBe(-128 * 11.5)
    expect(partsAt({ ...warm, conversation: first }, 0)).toMatchObject({ compaction: -128 * 11.5 })
  })

  test('are a service with prices of its own', () => {
    const service = { model: 'claude-opus-5', service: ['speed=fast'] }
    const fast = withUsage((one, request) => (request === 3 ? { ...one, ...service } : one))
    const own = {
      model: undefined,
      hasHourWrites: false,
      factor: 2,
      prices: flatPrices(20, 2, 25, 100),
    }
    const variants = [...(TERMS.variants ?? []), own]
    const paid = 12_076 + (13_950 - 12_076) * 12.5
    expect(partsAt(fast, 3, { ...TERMS, variants }).service).toBe(paid)
  })

  test('are unknown for requests without usage, and where a price is unknown', () => {
    const explained = (...given: Parameters<typeof explainCharges>) =>
      explainCharges(...given).map(({ request }) => request)
    const some = withUsage((one, request) => (request === 3 ? undefined : one))
    expect(explained(some, fit, TERMS)).toEqual([0, 1, 2, 4, 5, 6, 7])
    expect(explainCharges(session, fit, { ...TERMS, prices: UNKNOWN_PRICES })).toEqual([])
    // Of the first request nothing was read, but the replay reads what was sent before the transcript begins.
    const prices = { ...PRICES, cachedRead: undefined }
    const warm = { ...fit, warmTokens: 5000 }
    expect(explainCharges(session, { ...fit, warmTokens: 0 }, { ...TERMS, prices })).toHaveLength(1)
    expect(explainCharges(session, warm, { ...TERMS, prices })).toEqual([])
    // Only the request that wrote for an hour has no price.
    const variants = [{ model: undefined, hasHourWrites: true, prices: UNKNOWN_PRICES }]
    expect(explained(session, fit, { ...TERMS, variants })).toEqual([0, 1, 2, 3, 4, 5, 7])
  })

  test('without a cache are the head and the counting', () => {
    const none = { cacheReadTokens: undefined, cacheWriteTokens: undefined }
    const uncached = withUsage((one) => ({ ...one, ...none }))
    const parts = partsAt(uncached, 3, { prices: PRICES, rule: { kind: 'none' } })
    expect(parts).toEqual({ head: 100_000, counting: (13_950 - 10_000 - 3167) * 10 })
  })
})

const book = await loadPriceBook('2026-11-01')

/** The charge for 1,000 tokens of input and as many of output. */
function chargeFor(model: string, inUsage: object, beside: object = {}) {
  const isClaude = model.startsWith('claude')
  const counts = isClaude
    ? { input_tokens: 1000, cache_read_input_tokens: 0, output_tokens: 1000 }
    : { prompt_tokens: 1000, completion_tokens: 1000 }
  const usage = usageOfAnswer({ model, ...beside, usage: { ...counts, ...inUsage } })
  if (usage === undefined) throw new Error('no usage')
  const family = cacheFamilyById('anthropic-1024') ?? NO_CACHE
  const sheetOfFamily = () => priceSheet(book.find(model), family)
  const variants = priceVariantsOf([{ requests: [{ usage }] }], { model, family, sheetOfFamily })
  return chargeOf(usage, { prices: sheetOfFamily(), rule: { kind: 'none' }, variants })
}

test.each([
  ['claude-opus-4-6', { speed: 'fast', service_tier: 'standard' }, {}, 6],
  ['claude-opus-4-8', { speed: 'fast' }, {}, 2],
  ['claude-opus-4-6', { service_tier: 'batch' }, {}, 0.5],
  ['claude-opus-4-6', { inference_geo: 'us' }, {}, 1.1],
  ['claude-opus-4-6', { speed: 'fast', inference_geo: 'us' }, {}, 6.6],
  ['claude-opus-4-5', { inference_geo: 'global', service_tier: 'standard' }, {}, 1],
  ['gpt-5.4', {}, { service_tier: 'flex' }, 0.5],
  ['gpt-5.4', {}, { service_tier: 'priority' }, 2],
  ['gpt-5.4', {}, { service_tier: 'default' }, 1],
] as const)('%s with %j and %j beside costs the standard price times a factor', (...row) => {
  const [model, inUsage, beside, factor] = row
  const standard = chargeFor(model, {})
  const charge = chargeFor(model, inUsage, beside)
  expect(charge.inputCost).toBeCloseTo((standard.inputCost as number) * factor, 9)
  expect(charge.outputCost).toBeCloseTo((standard.outputCost as number) * factor, 9)
  expect(charge.services?.every(({ price }) => price?.date !== undefined)).toBe(true)
})

test.each([
  ['speed=warp', { speed: 'warp' }],
  ['search_context_size=high', { search_context_size: 'high' }],
  ['fast_mode', { fast_mode: true, queue_time: 3, iterations: [] }],
  ['premium_tokens', { premium_tokens: 500, is_other: false, other_tokens: 0 }],
  ['audio_tokens', { input_tokens_details: { audio_tokens: 7, text_tokens: 3 } }],
  ['ephemeral_1d_input_tokens', { cache_creation: { ephemeral_1d_input_tokens: 100 } }],
  ['code_runs', { server_tool_use: { code_runs: 5, web_fetch_requests: 2 } }],
])('%s has no known price: it is named, at the standard price', (name, usage) => {
  const charge = chargeFor('claude-opus-4-6', usage)
  expect(charge.services).toEqual([{ name, price: undefined }])
  expect(charge.inputCost).toBe(chargeFor('claude-opus-4-6', {}).inputCost)
})

test('each search of the web is charged beside the tokens', () => {
  const searches = { server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 } }
  expect(chargeFor('claude-opus-4-6', searches).searchCost).toBeCloseTo(0.03, 9)
})
