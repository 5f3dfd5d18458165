/**
 * A session of eight requests whose usage is worked out here: the provider counts 1.2 tokens for one of ours, sends a
 * head of 10,000 tokens that the transcript does not show, and adds 50 tokens with each request. Entries live for five
 * minutes. Request 5 comes after ten minutes and finds an empty cache; request 6 writes for an hour, so request 7 is
 * found half an hour later.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../../conversation/usage'
import { readDocument } from '../../formats/read-document'
import { DEFAULT_POLICY } from '../../policy/policy'
import { countQuarters } from '../../testing/policies'
import {
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  testSession,
} from '../../testing/test-sessions'
import { fuzz } from '../../testing/test-size'
import { countConversation } from '../../tokens/count-conversation'
import { type CacheFamily, cacheFamilyById } from '../cache-rules'
import { assumedCalibrationOf } from '../calibration/assumed-slope'
import { fitSessions } from '../calibration/calibrate-session'
import { type PreparedReplay, prepareReplay } from '../prepare-replay'
import { type PriceSheet, UNKNOWN_PRICES } from '../price-sheet'
import { type CostTerms, NO_WINDOW, replay, replayPrepared, replayTotal } from '../replay'
import { hasHourWrites } from '../request-terms'
import { createSessions, prefixTokensOf, type Session } from '../sessions'
import { pointsOfBatch, type Sweep, sweepPrepared } from '../sweep'
import {
  chargeIfMasked,
  chargeOf,
  chargesOf,
  priceVariantsOf,
  sumCharges,
  type VariantPrices,
} from './charge'
import { CHARGE_PARTS, explainCharges, sumParts } from './explain-charges'

const MINUTE = 60_000
/** When each request is sent. */
const SENT = [0, 1, 2, 3, 4, 14, 15, 45].map(
  (minutes) => Date.UTC(2026, 0, 1, 12) + minutes * MINUTE,
)
/** Characters of the message that each request adds. */
const ADDED = [400, 4000, 2000, 6000, 800, 3200, 4800, 1200]

/** Ours: 4 characters a token; 3 and the role's for a message, 8 and name and arguments for a call. */
const OURS = [
  // The system text of the request and "user" (1), 3.
  3 + 3 + 1 + 100,
]
for (let request = 1; request < 8; request++) {
  const answer = 3 + 3 + 8 + 1 + 1
  const result = 3 + 1 + (ADDED[request] as number) / 4
  OURS.push((OURS[request - 1] as number) + answer + result)
}
const CHARGED = OURS.map((ours, request) => 10_000 + Math.round(1.2 * ours) + 50 * request)

const usageOf = (request: number) => {
  const all = CHARGED[request] as number
  const read = request === 0 || request === 5 ? 0 : (CHARGED[request - 1] as number)
  const written = all - read
  const hour = request === 6 ? written : 0
  return {
    input_tokens: 0,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
    output_tokens: 100 + request,
  }
}

const line = (type: string, at: number, message: object) =>
  JSON.stringify({ type, sessionId: 's', timestamp: new Date(at).toISOString(), message })
const TEXT = SENT.flatMap((at, request) => [
  line('user', at, {
    role: 'user',
    content:
      request === 0
        ? 'x'.repeat(ADDED[0] as number)
        : [
            {
              type: 'tool_result',
              tool_use_id: `c${request - 1}`,
              content: 'x'.repeat(ADDED[request] as number),
            },
          ],
  }),
  line('assistant', at + MINUTE / 2, {
    id: `m${request}`,
    role: 'assistant',
    model: 'claude-test',
    content: [{ type: 'tool_use', id: `c${request}`, name: 'ls', input: {} }],
    usage: usageOf(request),
  }),
]).join('\n')

const price = (base: number) => ({ price: { base, tiers: [] }, origin: 'user' as const })
const PRICES: PriceSheet = {
  input: price(10),
  cachedRead: price(1),
  cacheWrite: price(12.5),
  output: price(50),
}
const TERMS: CostTerms = {
  prices: PRICES,
  rule: {
    kind: 'breakpoint',
    minimumTokens: 0,
    stepTokens: 1,
    lookBack: undefined,
    isHeadMarked: true,
    lifetimeSeconds: 300,
  },
  variants: [
    { model: undefined, hasHourWrites: true, prices: { ...PRICES, cacheWrite: price(20) } },
  ],
}

const { conversations } = readDocument(TEXT)
const [session] = createSessions(
  conversations,
  conversations.map((conversation) => countConversation(conversation, countQuarters)),
)
if (session === undefined) throw new RangeError('No session.')
const [fit] = fitSessions([session])
if (fit === undefined) throw new RangeError('No fit.')
const sources = {
  textOf: (index: number) => conversations[0]?.resultTexts[index]?.join('') ?? '',
  placeholderTokensOf: (_: number, placeholder: string) => countQuarters(placeholder),
}
const policy = { ...DEFAULT_POLICY, enabled: true, placeholderTemplate: 'gone' }
const prepared = prepareReplay(session, policy, sources, fit)
function expectReplayed(swept: Sweep, of: PreparedReplay, terms: CostTerms): void {
  for (const batch of swept.batches) {
    for (const { total, ...window } of pointsOfBatch(swept, batch)) {
      const { tokens, costs } = replayTotal(of, window, terms)
      expect(total).toEqual({ tokens, costs })
    }
  }
}
/** Millionths of a dollar. */
const micro = (usd: number | undefined) => Math.round((usd ?? Number.NaN) * 1e7) / 10

describe('a session of eight requests', () => {
  test('is counted and charged as worked out', () => {
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
      requests: 8,
      inputTokens: 111_176,
      readTokens: 79_666,
      writtenTokens: 31_510,
      writtenHourTokens: 1514,
      outputTokens: 828,
    })
    expect(micro(sumCharges(charges).inputCost)).toBe(484_896)
    expect(micro(sumCharges(charges).outputCost)).toBe(828 * 50)
  })

  test('is fitted: head, slope and tokens per request', () => {
    expect(fit).toMatchObject({
      headTokens: 10_000,
      slope: 1.2,
      requestTokens: 50,
      requestsUsed: 8,
      isSlopeFitted: true,
    })
    // Only rounding remains.
    expect(fit.residualPercent).toBeLessThan(0.01)
  })

  test('is replayed as charged, request by request', () => {
    const { requests, before } = replayPrepared(prepared, NO_WINDOW, TERMS)
    expect(requests.map((request) => request.before.tokens)).toEqual(CHARGED)
    expect(requests.map((request) => request.before.split.read)).toEqual([
      0, 10128, 11402, 12076, 13950, 0, 15298, 16812,
    ])
    expect(requests.map(({ outputTokens }) => outputTokens)).toEqual([
      100, 101, 102, 103, 104, 105, 106, 107,
    ])
    expect(micro(before.costs.cached)).toBe(484_896)
  })

  test('has its difference to the plain replay taken apart', () => {
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
      model: 0,
      compaction: 0,
      misses: 0,
      rest: 0,
    }
    expect(Object.fromEntries(CHARGE_PARTS.map((part) => [part, micro(parts[part])]))).toEqual(
      worked,
    )
    expect(90_906.5 + Object.values(worked).reduce((sum, part) => sum + part)).toBe(484_896)
  })

  test('is masked in the same tokens: a result by the slope, head and reminders stay', () => {
    const masked = replayPrepared(prepared, { windowTurns: 1, batchTurns: 1 }, TERMS)
    const gone = countQuarters('gone')
    // Request 2 is the first in which a result, of 4,000 characters, is outside the window.
    const third = masked.requests[2]
    expect(third?.before.tokens).toBe(12_076)
    expect(third?.after.tokens).toBe(12_076 - (1.2 * 1000 - Math.round(1.2 * gone)))
  })

  test('is swept as it is replayed', () => {
    const swept = sweepPrepared(prepared, TERMS, { batches: [1, 2, 3] })
    expect(swept.before).toEqual(replayTotal(prepared, NO_WINDOW, TERMS))
    expectReplayed(swept, prepared, TERMS)
  })
})

const usage = (stated: Partial<Usage>): Usage => ({
  inputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  cacheWriteHourTokens: undefined,
  outputTokens: undefined,
  reasoningTokens: undefined,
  totalTokens: undefined,
  model: undefined,
  at: undefined,
  statedCost: undefined,
  ...stated,
})

describe('the charge for a request', () => {
  const costOf = (stated: Partial<Usage>, terms: Partial<CostTerms> = {}) =>
    micro(chargeOf(usage(stated), { ...TERMS, ...terms }).inputCost)

  test('is unknown where prompts are cached and the usage does not say what was read', () => {
    expect(costOf({ inputTokens: 100 })).toBeNaN()
    expect(costOf({ inputTokens: 100 }, { rule: { kind: 'none' } })).toBe(1000)
    expect(chargeOf(usage({}), TERMS)).toMatchObject({
      inputCost: undefined,
      outputCost: undefined,
    })
  })

  test('counts as written what is not read, where the rule writes all of it', () => {
    expect(costOf({ inputTokens: 100, cacheReadTokens: 40 })).toBe(40 + 60 * 12.5)
    const rule = { kind: 'prefix', minimumTokens: 0, stepTokens: 1 } as const
    expect(costOf({ inputTokens: 100, cacheReadTokens: 40 }, { rule })).toBe(40 + 60 * 10)
  })

  test('has the price of its tier for all tokens, and that of its model', () => {
    const tiered = {
      price: { base: 10, tiers: [{ above: 99, price: 20 }] },
      origin: 'user' as const,
    }
    const terms = { prices: { ...PRICES, input: tiered }, rule: { kind: 'none' } as const }
    expect(costOf({ inputTokens: 99 }, terms)).toBe(990)
    expect(costOf({ inputTokens: 100 }, terms)).toBe(2000)
    const variants = [
      { model: 'other', hasHourWrites: false, prices: { ...PRICES, input: price(3) } },
    ]
    expect(costOf({ inputTokens: 99, model: 'other' }, { ...terms, variants })).toBe(297)
    expect(costOf({ inputTokens: 99, model: 'own' }, { ...terms, variants })).toBe(990)
  })

  test('is unknown if a price is, and so is every sum with it', () => {
    const stated = { inputTokens: 100, cacheReadTokens: 40, outputTokens: 1 }
    const unpriced = chargeOf(usage(stated), { ...TERMS, prices: UNKNOWN_PRICES })
    expect(unpriced).toMatchObject({
      inputTokens: 100,
      inputCost: undefined,
      outputCost: undefined,
    })
    const sum = sumCharges([unpriced, chargeOf(usage(stated), TERMS)])
    expect(sum).toMatchObject({ inputTokens: 200, inputCost: undefined, outputCost: undefined })
  })

  test('is that of the whole run where no request states its own; none of its requests is long', () => {
    const prices = { ...PRICES, input: undefined, cacheWrite: price(12.5) }
    const tiered = { price: { base: 1, tiers: [{ above: 99, price: 2 }] }, origin: 'user' as const }
    const terms = { ...TERMS, prices: { ...prices, cachedRead: tiered } }
    const total = { ...usage({ inputTokens: 1000, cacheReadTokens: 1000 }), requests: undefined }
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
    const charge = chargeOf(usage({ inputTokens: 100, cacheReadTokens: 0 }), TERMS)
    const side = (cached: number | undefined) => ({
      tokens: 0,
      split: { read: 0, written: 0, fresh: 0 },
      costs: { plain: cached, cached, output: 0 },
    })
    const masked = (before?: number, after?: number) =>
      chargeIfMasked(charge, { before: side(before), after: side(after) })
    expect(micro(masked(4, 1))).toBe((100 * 12.5) / 4)
    expect([masked(0, 1), masked(undefined, 1), masked(1, undefined)]).toEqual(
      Array.from({ length: 3 }, () => undefined),
    )
    const unknown = { ...charge, inputCost: undefined }
    expect(chargeIfMasked(unknown, { before: side(4), after: side(1) })).toBeUndefined()
  })
})

describe('prices of requests that differ', () => {
  const family = cacheFamilyById('anthropic-1024') as CacheFamily
  const requests = [
    usage({ model: 'main', cacheWriteHourTokens: 5 }),
    usage({ model: 'other', cacheWriteHourTokens: 5 }),
    usage({ model: 'other' }),
    usage({ model: 'unpriced' }),
    usage({}),
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
    const sheetOfModel = (name: string, isHour: boolean) =>
      name === 'unpriced'
        ? undefined
        : { ...UNKNOWN_PRICES, input: price(isHour ? 4 : 3), output: price(9) }
    expect(variantsOf({ sheetOfModel })).toEqual([
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
    return Object.fromEntries(
      CHARGE_PARTS.map((part) => [part, micro(found?.parts[part])] as const).filter(
        ([, usd]) => usd !== 0,
      ),
    )
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

  test('are unknown for requests without usage, and where a price is unknown', () => {
    const some = withUsage((one, request) => (request === 3 ? undefined : one))
    expect(explainCharges(some, fit, TERMS).map(({ request }) => request)).toEqual([
      0, 1, 2, 4, 5, 6, 7,
    ])
    expect(explainCharges(session, fit, { ...TERMS, prices: UNKNOWN_PRICES })).toEqual([])
    // Of the first request nothing was read, but the replay reads what was sent before the transcript begins.
    const prices = { ...PRICES, cachedRead: undefined }
    const warm = { ...fit, warmTokens: 5000 }
    expect(explainCharges(session, { ...fit, warmTokens: 0 }, { ...TERMS, prices })).toHaveLength(1)
    expect(explainCharges(session, warm, { ...TERMS, prices })).toEqual([])
    // Only the request that wrote for an hour has no price.
    const variants = [{ model: undefined, hasHourWrites: true, prices: UNKNOWN_PRICES }]
    expect(
      explainCharges(session, fit, { ...TERMS, variants }).map(({ request }) => request),
    ).toEqual([0, 1, 2, 3, 4, 5, 7])
  })

  test('without a cache are the head and the counting', () => {
    const uncached = withUsage((one) => ({
      ...one,
      cacheReadTokens: undefined,
      cacheWriteTokens: undefined,
    }))
    const parts = partsAt(uncached, 3, { prices: PRICES, rule: { kind: 'none' } })
    expect(parts).toEqual({ head: 100_000, counting: (13_950 - 10_000 - 3167) * 10 })
  })
})

describe('a calibration', () => {
  test('of a session without a charged request is that of all together', () => {
    const uncharged = {
      ...session,
      requests: session.requests.map((request) => ({ ...request, usage: undefined })),
    }
    const [own, shared] = fitSessions([session, uncharged])
    expect(shared).toMatchObject({ headTokens: 10_000, slope: 1.2, requestTokens: 50 })
    expect(own).toMatchObject({ requestsUsed: 8 })
    expect(fitSessions([uncharged])).toEqual([undefined])
  })

  test('is assumed for models whose tokenizer is known', () => {
    expect(assumedCalibrationOf('claude-opus-4-8')?.slope).toBe(1.35)
    expect(assumedCalibrationOf('claude-sonnet-4-6')?.slope).toBe(1.15)
    expect([assumedCalibrationOf('gpt-5'), assumedCalibrationOf(undefined)]).toEqual([
      undefined,
      undefined,
    ])
  })

  test('caches no more of the head than it has', () => {
    const warm = { ...fit, warmTokens: 50_000 }
    expect(prepareReplay(session, policy, sources, warm).session.warmTokens).toBe(10_004)
    expect(
      prepareReplay(session, policy, sources, { headTokens: 5, slope: 1, requestTokens: 0 }).session
        .warmTokens,
    ).toBe(0)
  })
})

test('entries live for an hour if the usage says so, or says no total', () => {
  expect(hasHourWrites(usage({ cacheWriteTokens: 10, cacheWriteHourTokens: 5 }))).toBe(true)
  expect(hasHourWrites(usage({ cacheWriteTokens: 11, cacheWriteHourTokens: 5 }))).toBe(false)
  expect(hasHourWrites(usage({ cacheWriteHourTokens: 5 }))).toBe(true)
  expect(hasHourWrites(usage({ cacheWriteHourTokens: 0 }))).toBe(false)
})

describe('time', () => {
  const cold = (requests: Session['requests'], from: number) =>
    requests.map((request, index) => ({ ...request, sentAt: index < from ? 0 : 301_000 }))

  test('after an expiry, requests share what they would if the session began there', () => {
    fc.assert(
      fc.property(
        anySessionMessages,
        anySessionPolicy,
        anyRule,
        fc.nat(30),
        (messages, settings, rule, number) => {
          const { session: plain, sources: texts } = testSession(messages)
          if (rule.kind === 'none' || plain.requests.length === 0) return
          const from = number % plain.requests.length
          const terms = { prices: UNKNOWN_PRICES, rule: { ...rule, lifetimeSeconds: 300 } }
          const timed = { ...plain, requests: cold(plain.requests, from) }
          const tail = { ...plain, requests: timed.requests.slice(from) }
          // The trigger is a length that a request reaches; the tail may reach it earlier.
          const untriggered = { ...settings, triggerTokens: 0 }
          const splits = (one: Session) =>
            replay(one, untriggered, texts, terms).requests.map(({ after }) => after.split)
          expect(splits(timed).slice(from)).toEqual(splits(tail))
        },
      ),
      fuzz(150),
    )
  }, 60_000)

  test('sweeps equal replays, whatever expires and whichever model answers', () => {
    fc.assert(
      fc.property(
        anySessionMessages,
        anyRule,
        fc.array(fc.tuple(fc.nat(400), fc.constantFrom('a', 'b', undefined), fc.boolean()), {
          minLength: 40,
          maxLength: 40,
        }),
        (messages, rule, facts) => {
          const { session: plain, sources: texts } = testSession(messages)
          let sentAt = 0
          const requests = plain.requests.map((request, index) => {
            const [gap, model, isHour] = facts[index % facts.length] as (typeof facts)[number]
            sentAt += gap * 1000
            const usage = { ...(session.requests[0]?.usage as Usage), model, cacheWriteTokens: 2 }
            return { ...request, sentAt, usage: { ...usage, cacheWriteHourTokens: isHour ? 2 : 0 } }
          })
          const tiers = [{ above: 150, price: 30 }]
          const input = { price: { base: 10, tiers }, origin: 'user' as const }
          const terms: CostTerms = {
            prices: { ...PRICES, input },
            rule: rule.kind === 'none' ? rule : { ...rule, lifetimeSeconds: 300 },
            variants: [
              { model: 'b', hasHourWrites: false, prices: { ...PRICES, input: price(3) } },
              { model: 'b', hasHourWrites: true, prices: { ...PRICES, cacheWrite: price(7) } },
            ],
          }
          const one = prepareReplay({ ...plain, requests }, policy, texts, {
            headTokens: 77,
            slope: 1.3,
            requestTokens: 9,
            warmTokens: 40,
          })
          const swept = sweepPrepared(one, terms, { batches: [1, 3] })
          expectReplayed(swept, one, terms)
        },
      ),
      fuzz(60),
    )
  }, 60_000)
})
