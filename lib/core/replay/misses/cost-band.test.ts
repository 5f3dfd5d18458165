/** The cost of a session with misses, and which requests of its own missed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addUp } from '../../conversation/add-up'
import { flatPrices } from '../../testing/test-sessions'
import { forAll } from '../../testing/test-size'
import { NO_WINDOW, prepareReplay } from '../prepare-replay'
import { UNKNOWN_PRICES } from '../price-sheet'
import { costsWithoutExpiry, replayPrepared } from '../replay'
import type { Session } from '../sessions'
import { fit, policy, session, sources, TERMS } from '../testing/eight-requests'
import {
  bandFigures,
  bandOf,
  costBand,
  drawCosts,
  drawMisses,
  drawnCosts,
  expectMisses,
  factorsOf,
  lossCosts,
  sessionBand,
} from './cost-band'
import { missCells, missesAt, missRate, ownMisses } from './miss-rates'

const anyRequests = fc.array(
  fc.record({
    loss: fc.double({ min: 0, max: 10, noNaN: true }),
    rate: fc.double({ min: 0, max: 1, noNaN: true }),
    more: fc.double({ min: 0, max: 1, noNaN: true }),
    kept: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 20 },
)

describe('draws', () => {
  const drawn = (requests: readonly { loss: number; rate: number; kept: number }[], seed = 1) => {
    const rates = requests.map(({ rate }) => rate)
    const draws = drawMisses({ rates, factors: factorsOf(1e9, 1e9), counting: [1], seed })
    const losses = requests.map(({ loss }) => loss)
    const kept = requests.map(({ loss, kept }) => loss * kept)
    return { before: drawnCosts(draws, 5, losses), after: drawnCosts(draws, 4, kept) }
  }

  test('lie between a cache without misses and one that misses always, and grow with the rates', () => {
    forAll(100, [anyRequests, fc.nat()], (requests, seed) => {
      const all = requests.reduce((sum, { loss }) => sum + loss, 0)
      const { before, after } = drawn(requests, seed)
      const higher = drawn(
        requests.map((one) => ({ ...one, rate: Math.min(1, one.rate + one.more) })),
        seed,
      )
      for (const [draw, cost] of before.entries()) {
        expect(cost).toBeGreaterThanOrEqual(5)
        expect(cost).toBeLessThanOrEqual(5 + all + 1e-9)
        expect(higher.before[draw]).toBeGreaterThanOrEqual(cost)
        // A miss costs less where the request is smaller.
        expect((after[draw] as number) - 4).toBeLessThanOrEqual(cost - 5 + 1e-9)
      }
    })
  })

  test('are a point if no request can miss, and all of the loss if each does', () => {
    const requests = [1, 2, 3].map((loss) => ({ loss, kept: 0.5 }))
    const at = (rate: number) => drawn(requests.map((one) => ({ ...one, rate })))
    expect(bandOf(at(0).before)).toEqual({ low: 5, middle: 5, high: 5 })
    expect(bandOf(at(2).after)).toEqual({ low: 7, middle: 7, high: 7 })
  })

  test('miss as often as the rate says', () => {
    const { before } = drawn(Array.from({ length: 100 }, () => ({ loss: 1, rate: 0.2, kept: 1 })))
    const mean = before.reduce((sum, cost) => sum + cost, 0) / before.length
    expect(mean - 5).toBeGreaterThan(19)
    expect(mean - 5).toBeLessThan(21)
  })

  test('follow the misses that a session had itself', () => {
    const mean = (factors: readonly number[]) =>
      factors.reduce((sum, factor) => sum + factor, 0) / factors.length
    expect(mean(factorsOf(0.7, 0.7))).toBeCloseTo(1, 1)
    expect(mean(factorsOf(0.7 + 6, 0.7 + 1))).toBeCloseTo(6.7 / 1.7, 1)
    expect(mean(factorsOf(0.7, 0.7 + 6))).toBeCloseTo(0.7 / 6.7, 1)
  })
})

describe('a session', () => {
  const terms = { ...TERMS, provider: 'anthropic' }
  const prepared = prepareReplay(session, policy, sources, fit)
  const bandAt = (window: typeof NO_WINDOW) =>
    sessionBand(prepared, replayPrepared(prepared, window, terms), terms, window)

  test('costs more as calibrated than with a perfect cache, and masking is compared draw by draw', () => {
    const unmasked = bandAt(NO_WINDOW)
    const calibrated = replayPrepared(prepared, NO_WINDOW, terms).before.costs.cached as number
    // Request 5 comes after the lifetime.
    expect(unmasked?.perfect.before).toBeLessThan(calibrated)
    expect(unmasked?.change).toEqual({ low: 0, middle: 0, high: 0 })
    expect(unmasked?.before).toEqual(unmasked?.after)
    expect(unmasked).toMatchObject({ provider: 'anthropic', own: { requests: 6, misses: 0 } })
    const masked = bandAt({ windowTurns: 1, batchTurns: 1 })
    expect(masked?.before).toEqual(unmasked?.before)
    const after = replayPrepared(prepared, { windowTurns: 1, batchTurns: 1 }, terms).after.costs
      .cached
    // The error of counting is the same on both sides.
    expect(masked?.change.middle).toBeCloseTo((after as number) / calibrated - 1, 6)
    expect(
      new Set(bandFigures(masked as NonNullable<typeof masked>).map(([name]) => name)).size,
    ).toBe(11)
  })

  test('that never reads from the cache is one without', () => {
    const uncached = {
      ...session,
      requests: session.requests.map((request) => ({
        ...request,
        usage: request.usage && { ...request.usage, cacheReadTokens: 0 },
      })),
    }
    const { rates, factors } = expectMisses(uncached, terms)
    expect(rates).toEqual([0, 1, 1, 1, 1, 0, 1, 1])
    expect(new Set(factors)).toEqual(new Set([1]))
    expect(Math.max(...expectMisses(session, terms).rates)).toBeLessThan(0.1)
  })

  test('is added up draw by draw; with an unknown price, the sum is unknown', () => {
    const one = drawCosts(prepared, replayPrepared(prepared, NO_WINDOW, terms), terms, NO_WINDOW)
    const both = addUp([one, one])
    expect(both?.before[7]).toBe(2 * (one?.before[7] as number))
    expect(both && costBand(both).own.requests).toBe(12)
    const elsewhere = one && { ...one, provider: 'openai' }
    expect(addUp([one, elsewhere])).toMatchObject({ provider: undefined })
    expect(addUp([one, undefined])).toBeUndefined()
    const uncached = { ...terms, rule: { kind: 'none' } } as const
    const replayed = replayPrepared(prepared, NO_WINDOW, uncached)
    expect(drawCosts(prepared, replayed, uncached, NO_WINDOW)).toBeUndefined()
    const unpriced = { ...terms, prices: UNKNOWN_PRICES, variants: [] }
    const { requests } = replayPrepared(prepared, NO_WINDOW, unpriced)
    const losses = lossCosts(
      prepared,
      requests.map(({ before }) => before),
      unpriced,
    )
    expect(new Set(losses)).toEqual(new Set([0]))
  })

  test('is unknown if a cache without expiry needs a price that is unknown', () => {
    // Each request comes after the lifetime, so that nothing is read.
    const rule = { ...TERMS.rule, lifetimeSeconds: 0 } as typeof TERMS.rule
    const unread = {
      ...TERMS,
      rule,
      variants: [],
      prices: { ...TERMS.prices, cachedRead: undefined },
    }
    const replayed = replayPrepared(prepared, NO_WINDOW, unread)
    expect(replayed.before.costs.cached).toBeGreaterThan(0)
    expect(costsWithoutExpiry(prepared, unread)(NO_WINDOW)).toBeUndefined()
    expect(drawCosts(prepared, replayed, unread, NO_WINDOW)).toBeUndefined()
  })

  test('that costs nothing costs no more or less when masked', () => {
    const free = { ...terms, prices: flatPrices(0, 0, 0, 0), variants: [] }
    const window = { windowTurns: 1, batchTurns: 1 }
    const band = sessionBand(prepared, replayPrepared(prepared, window, free), free, window)
    expect(band?.change).toEqual({ low: 0, middle: 0, high: 0 })
  })
})

describe('the misses of a session', () => {
  const SECONDS = [0, 10, 100, 400, 5000]
  /** Its requests read so many tokens; the one before each had 10,000, 2,000 of which the first one read. */
  const requestsWith = (reads: readonly (number | undefined)[], roles = ['tool', 'user']) =>
    ({
      ...session,
      conversation: {
        ...session.conversation,
        results: [{ message: 3 }, { message: 5 }] as unknown as Session['conversation']['results'],
      },
      requests: reads.map((cacheReadTokens, index) => ({
        ...{ end: 2 * index + 2, turnCount: 0, answer: 2 * index + 2, role: roles[index] },
        sentAt: 1000 * (SECONDS[index] as number),
        usage: { inputTokens: 10_000, cacheReadTokens, model: undefined },
      })),
    }) as unknown as Session
  const terms = { ...TERMS, rule: { kind: 'prefix', minimumTokens: 0, stepTokens: 1 } } as const

  test('are reads of less than half of what was held, by kind and pause', () => {
    const own = ownMisses(requestsWith([2000, 5999, 6001, undefined, 0]), terms)
    expect(own).toEqual([
      { kind: 'tool_result', pause: 0, isMiss: true },
      { kind: 'tool_result', pause: 1, isMiss: false },
      { kind: 'new_prompt', pause: 3, isMiss: true },
    ])
  })

  test('are none where the cache expired or held too little', () => {
    const expiring = { ...terms, rule: { ...terms.rule, lifetimeSeconds: 300 } }
    expect(ownMisses(requestsWith([2000, 0, 0, 0, 0]), expiring)).toHaveLength(3)
    expect(ownMisses(requestsWith([9500, 0]), terms)).toEqual([])
  })

  test('are none of a model of another provider, or of none that is known', () => {
    const read = requestsWith([2000, 0])
    const named = (model: string) =>
      ({
        ...read,
        requests: read.requests.map((one) => ({ ...one, usage: { ...one.usage, model } })),
      }) as Session
    const missesOf = (model: string) =>
      ownMisses(named(model), { ...terms, provider: 'anthropic' }).length
    expect(['claude-sonnet-4-5', 'gpt-5', 'of nobody'].map(missesOf)).toEqual([1, 0, 0])
  })

  test('without times count as after a short pause', () => {
    const untimed = {
      ...session,
      requests: session.requests.map((one) => ({ ...one, sentAt: undefined })),
    }
    expect(new Set(missCells(untimed).map(({ pause }) => pause))).toEqual(new Set([0]))
  })
})

test('a provider that was not observed has the misses of all', () => {
  const cell = { kind: 'new_prompt', pause: 0 } as const
  const [all, anthropic, openai] = ['glm', 'anthropic', 'openai'].map(missesAt)
  const requests = [all, anthropic, openai].map((one) => one?.observed.new_prompt[0]?.[0] ?? 0)
  expect(missesAt(undefined)).toEqual(all)
  expect(requests[0]).toBe((requests[1] ?? 0) + (requests[2] ?? 0))
  expect(missRate(missesAt('anthropic'), cell)).toBeGreaterThan(
    missRate(missesAt('anthropic'), { kind: 'tool_result', pause: 0 }),
  )
})
