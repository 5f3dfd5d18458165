/** The charge for a request by its usage, and the prices of requests that differ in model or lifetime. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../../conversation/conversation'
import { prefixRule, flatPrice as price } from '../../testing/test-sessions'
import { forAll } from '../../testing/test-size'
import { usageWith } from '../../testing/usage-with'
import { type CacheFamily, cacheFamilyById } from '../cache-rules'
import { UNKNOWN_PRICES } from '../price-sheet'
import type { CostTerms } from '../request-terms'
import { prefixTokensOf } from '../sessions'
import { CHARGED, micro, OURS, PRICES, session, TERMS } from '../testing/eight-requests'
import { sideOf } from '../testing/expect-as-replayed'
import { chargeIfMasked, chargeOf, chargesOf, sumCharges } from './explain-charges'
import { priceVariantsOf, type VariantPrices } from './price-variants'

test('a session of eight requests is counted and charged as worked out', () => {
  const prefix = prefixTokensOf(session.counts.messages, session.counts.perRequest)
  expect(session.requests.map(({ end }) => prefix[end])).toEqual(OURS)
  expect(OURS).toEqual([107, 1127, 1647, 3167, 3387, 4207, 5427, 5747])
  expect(CHARGED).toEqual([10128, 11402, 12076, 13950, 14264, 15298, 16812, 17246])
  const charges = session.requests.map(({ usage }) => chargeOf(usage as Usage, TERMS))
  expect(charges.map(({ inputCost }) => micro(inputCost))).toEqual([
    10128 * 12.5,
    10128 + 1274 * 12.5,
    11402 + 674 * 12.5,
    12076 + 1874 * 12.5,
    13950 + 314 * 12.5,
    15298 * 12.5,
    15298 + 1514 * 20,
    16812 + 434 * 12.5,
  ])
  expect(sumCharges(charges)).toMatchObject({
    ...{ requests: 8, inputTokens: 111_176, readTokens: 79_666, writtenTokens: 31_510 },
    ...{ writtenHourTokens: 1514, outputTokens: 828 },
  })
  expect(micro(sumCharges(charges).inputCost)).toBe(484_896)
  expect(micro(sumCharges(charges).outputCost)).toBe(828 * 50)
})

const tieredPrice = (base: number, above: number) => ({
  ...{ price: { base, tiers: [{ above, price: 2 * base }] }, origin: 'user' as const },
})

describe('the charge for a request', () => {
  const costOf = (stated: Partial<Usage>, terms: Partial<CostTerms> = {}) =>
    micro(chargeOf(usageWith(stated), { ...TERMS, ...terms }).inputCost)

  test('is unknown where prompts are cached and the usage does not say what was read', () => {
    expect(costOf({ inputTokens: 100 })).toBeNaN()
    expect(costOf({ inputTokens: 100 }, { rule: { kind: 'none' } })).toBe(1000)
    const unknown = { inputCost: undefined, outputCost: undefined }
    expect(chargeOf(usageWith({}), TERMS)).toMatchObject(unknown)
  })

  test('counts as written what is not read, where the rule writes all of it', () => {
    expect(costOf({ inputTokens: 100, cacheReadTokens: 40 })).toBe(40 + 60 * 12.5)
    const stated = { inputTokens: 100, cacheReadTokens: 40 }
    expect(costOf(stated, { rule: prefixRule() })).toBe(40 + 60 * 10)
  })

  test('has the price of its tier for all tokens, and that of its model', () => {
    const tiered = tieredPrice(10, 99)
    const terms = { prices: { ...PRICES, input: tiered }, rule: { kind: 'none' } as const }
    expect(costOf({ inputTokens: 99 }, terms)).toBe(990)
    expect(costOf({ inputTokens: 100 }, terms)).toBe(2000)
    const prices = { ...PRICES, input: price(3) }
    const variants = [{ model: 'other', hasHourWrites: false, prices }]
    expect(costOf({ inputTokens: 99, model: 'other' }, { ...terms, variants })).toBe(297)
    expect(costOf({ inputTokens: 99, model: 'own' }, { ...terms, variants })).toBe(990)
  })

  test('is unknown if a price is, and so is every sum with it', () => {
    const stated = { inputTokens: 100, cacheReadTokens: 40, outputTokens: 1 }
    const unknown = { inputCost: undefined, outputCost: undefined }
    const unpriced = chargeOf(usageWith(stated), { ...TERMS, prices: UNKNOWN_PRICES })
    expect(unpriced).toMatchObject({ inputTokens: 100, ...unknown })
    const sum = sumCharges([unpriced, chargeOf(usageWith(stated), TERMS)])
    expect(sum).toMatchObject({ inputTokens: 200, ...unknown })
  })

  test('is that of the whole run where no request states its own; none of its requests is long', () => {
    const prices = { ...PRICES, input: undefined, cacheWrite: price(12.5) }
    const terms = { ...TERMS, prices: { ...prices, cachedRead: tieredPrice(1, 99) } }
    const usage = usageWith({ inputTokens: 1000, cacheReadTokens: 1000 })
    const total = { ...usage, requests: undefined }
    const run = {
      ...session,
      conversation: { ...session.conversation, usageTotal: total },
      requests: session.requests.map((request) => ({ ...request, usage: undefined })),
    }
    const [charge, ...others] = chargesOf(run, terms)
    expect(others).toEqual([])
    expect(charge).toMatchObject({ requests: 8, inputTokens: 1000 })
    expect(micro(charge?.inputCost)).toBe(1000)
    const twice = { ...run.conversation, usageTotal: { ...total, requests: 2 } }
    expect(chargesOf({ ...run, conversation: twice }, terms)[0]?.requests).toBe(2)
    expect(chargesOf({ ...run, conversation: session.conversation }, terms)).toEqual([])
    expect(chargesOf({ ...session, conversation: run.conversation }, terms)).toHaveLength(8)
  })

  test('changes with masking as the replay does', () => {
    const charge = chargeOf(usageWith({ inputTokens: 100, cacheReadTokens: 0 }), TERMS)
    const masked = (before?: number, after?: number, of = charge) =>
      chargeIfMasked(of, { before: sideOf({ cached: before }), after: sideOf({ cached: after }) })
    expect(micro(masked(4, 1))).toBe((100 * 12.5) / 4)
    for (const [before, after] of [[0, 1], [undefined, 1], [1]])
      expect(masked(before, after)).toBeUndefined()
    expect(masked(4, 1, { ...charge, inputCost: undefined })).toBeUndefined()
    // What was charged had results cleared by the client, which the replay before has not.
    const [before, after] = [sideOf({ cached: 4 }), sideOf({ cached: 6 })]
    expect(micro(chargeIfMasked(charge, { before, after }, 6))).toBe(100 * 12.5)
  })
})

describe('prices of requests that differ', () => {
  const family = cacheFamilyById('anthropic-1024') as CacheFamily
  const requests = [
    usageWith({ model: 'main', cacheWriteHourTokens: 5 }),
    usageWith({ model: 'other', cacheWriteHourTokens: 5 }),
    usageWith({ model: 'other' }),
    usageWith({ model: 'unpriced' }),
    usageWith({}),
  ].map((one) => ({ usage: one }))
  const sheetOfFamily = ({ id }: CacheFamily) => ({ ...PRICES, cacheWrite: price(id.length) })
  const variantsOf = (changes: Partial<VariantPrices>) =>
    priceVariantsOf([{ requests: [...requests, { usage: undefined }] }], {
      model: 'main',
      family,
      sheetOfFamily,
      ...changes,
    }).map(({ model, hasHourWrites, prices }) => [
      model,
      hasHourWrites,
      prices.input?.price.base,
      prices.cacheWrite?.price.base,
    ])

  test('are those of each model, and for an hour those of the family', () => {
    const pricesOf = (name: string) => ({
      family,
      sheetOfFamily: ({ id }: CacheFamily) => {
        const input = price(id === family.id ? 3 : 4)
        return name === 'unpriced' ? UNKNOWN_PRICES : { ...UNKNOWN_PRICES, input, output: price(9) }
      },
    })
    expect(variantsOf({ pricesOf })).toEqual([
      ['main', true, 10, 'anthropic-1024-1h'.length],
      // A model without a price for its cache has its input price there.
      ['other', false, 3, 3],
      ['other', true, 4, 4],
    ])
  })

  test('are those of one model for all requests, where its prices are set', () => {
    expect(variantsOf({})).toEqual([[undefined, true, 10, 'anthropic-1024-1h'.length]])
    const hour = cacheFamilyById('anthropic-1024-1h') as CacheFamily
    expect(variantsOf({ family: hour })).toEqual(variantsOf({}))
    // A family without entries that live for an hour.
    expect(variantsOf({ family: cacheFamilyById('xai') as CacheFamily })).toEqual([])
  })
})

test('an answer that several files have is charged once, and a stated cost is kept beside ours', () => {
  const usage = usageWith({
    inputTokens: 100,
    cacheReadTokens: 0,
    statedCost: 2,
    service: ['speed=fast'],
  })
  const one = chargeOf({ ...usage, id: 'a' }, TERMS)
  const sum = sumCharges([one, one, chargeOf({ ...usage, id: 'b' }, TERMS), chargeOf(usage, TERMS)])
  expect(sum).toMatchObject({ requests: 3, inputTokens: 300, statedCost: 6, services: [{}] })
  // The cost that a file states for its session stands beside the charges of the requests.
  const conversation = {
    ...session.conversation,
    usageTotal: { ...usageWith({ statedCost: 3 }), requests: undefined },
  }
  const charges = chargesOf({ ...session, conversation }, TERMS)
  expect(sumCharges(charges)).toMatchObject({ requests: 8, statedCost: 3 })
})

test('an answer of 40 tokens or more is a stub if less than a quarter of it is charged', () => {
  // Its answers, of 16 tokens, ten times as long.
  const messages = session.counts.messages.map((tokens) => (tokens as number) * 10)
  const longer = { ...session, counts: { ...session.counts, messages } }
  const stubsAt = (of: typeof session, charged?: number) => {
    const requests = of.requests.map((one) => {
      return { ...one, usage: usageWith({ outputTokens: charged }) }
    })
    return sumCharges(chargesOf({ ...of, requests }, TERMS)).stubs
  }
  expect(stubsAt(longer, 39)).toBe(8)
  for (const stubs of [stubsAt(longer, 40), stubsAt(longer), stubsAt(session, 1)])
    expect(stubs).toBeUndefined()
})

test('a sum has each answer once, and every charge without an id', () => {
  const anyUsage = fc.record({ id: fc.option(fc.constantFrom('a', 'b', 'c')), tokens: fc.nat(99) })
  forAll(100, [fc.array(anyUsage)], (usages) => {
    const charges = usages.map(({ id, tokens }) =>
      chargeOf(usageWith({ inputTokens: tokens, cacheReadTokens: 0, id: id ?? undefined }), TERMS),
    )
    const firsts = new Map(
      usages.map(({ id, tokens }, at) => [id ?? at, tokens]).toReversed() as [unknown, number][],
    )
    const tokens = [...firsts.values()].reduce((sum, one) => sum + one, 0)
    const sum = sumCharges(charges)
    expect([sum.requests, sum.inputTokens ?? 0]).toEqual([firsts.size, tokens])
  })
})
