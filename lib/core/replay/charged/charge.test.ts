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
import { fitSessions } from '../calibration/calibrate-session'
import { type PreparedReplay, prepareReplay } from '../prepare-replay'
import { type PriceSheet, UNKNOWN_PRICES } from '../price-sheet'
import { type CostTerms, NO_WINDOW, replay, replayPrepared, replayTotal } from '../replay'
import { createSessions, prefixTokensOf, type Session } from '../sessions'
import { pointsOfBatch, type Sweep, sweepPrepared } from '../sweep'
import { chargeOf, sumCharges } from './charge'
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
          const terms: CostTerms = {
            prices: PRICES,
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
