import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyLog,
  anyPrices,
  anyReusingMessages,
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  anySettledMessages,
  testLog,
  testSession,
} from '../testing/sessions'
import { maskFacts } from './mask-facts'
import { breakEven, recommend, sessionCost } from './recommend'
import { replay, replayTotal } from './replay'
import { pointAt, sumSweeps, sweep, sweepFacts } from './sweep'

const BATCHES = [1, 2, 3, 8]

describe('sweep', () => {
  test('is the replay at every window and batch, to the last digit', () => {
    let pointsThatMask = 0
    fc.assert(
      fc.property(
        anySessionMessages,
        anySessionPolicy,
        anyRule,
        anyPrices,
        (messages, policy, rule, prices) => {
          const { session, sources } = testSession(messages)
          const terms = { prices, rule }
          const swept = sweep(session, policy, sources, terms, BATCHES)
          for (let windowTurns = 0; windowTurns <= swept.largestWindow + 1; windowTurns++) {
            for (const batchTurns of BATCHES) {
              const own = { ...policy, enabled: true, windowTurns, batchTurns }
              const { after } = replay(session, own, sources, terms)
              expect(pointAt(swept, { windowTurns, batchTurns })?.total).toEqual(after)
              if (after.tokens !== swept.before.tokens) pointsThatMask++
            }
          }
        },
      ),
      { numRuns: 100 },
    )
    expect(pointsThatMask).toBeGreaterThan(200)
  }, 60_000)

  test('is the replay for the requests of a log, whichever were logged', () => {
    fc.assert(
      fc.property(
        anyLog,
        anySessionPolicy,
        anyRule,
        anyPrices,
        ([messages, ends], policy, rule, prices) => {
          const { session, sources } = testLog(messages, ends)
          const facts = maskFacts(session, policy, sources)
          for (const point of sweepFacts(facts, { prices, rule }, BATCHES).points)
            expect(point.total).toEqual(replayTotal(facts, point, { prices, rule }))
        },
      ),
      { numRuns: 100 },
    )
  }, 60_000)

  test('is incremental for sessions whose ids are used once', () => {
    fc.assert(
      fc.property(anySettledMessages, anySessionPolicy, (messages, policy) => {
        const { session, sources } = testSession(messages)
        expect(maskFacts(session, policy, sources).isSettled).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  test('replays point by point the sessions whose ids are used again', () => {
    const samples = fc.sample(fc.tuple(anyReusingMessages, anySessionPolicy), {
      numRuns: 100,
      seed: 1,
    })
    const unsettled = samples.filter(([messages, policy]) => {
      const { session, sources } = testSession(messages)
      return !maskFacts(session, policy, sources).isSettled
    })
    expect(unsettled.length).toBeGreaterThan(40)
  })
})

describe('sumSweeps', () => {
  test('adds sessions up point by point; one that is over is sent as it is', () => {
    fc.assert(
      fc.property(
        fc.array(anySettledMessages, { maxLength: 3 }),
        anySessionPolicy,
        anyRule,
        anyPrices,
        (sessions, policy, rule, prices) => {
          const sweeps = sessions.map((messages) => {
            const { session, sources } = testSession(messages)
            return sweep(session, policy, sources, { prices, rule }, BATCHES)
          })
          const summed = sumSweeps(sweeps)
          expect(summed.points).toHaveLength(summed.batches.length * summed.largestWindow)
          for (const { total, ...window } of summed.points) {
            const tokens = sweeps.map((one) => pointAt(one, window)?.total.tokens ?? Number.NaN)
            expect(total.tokens).toBe(tokens.reduce((all, own) => all + own, 0))
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('recommend', () => {
  test('is at least as cheap as every point of the grid replayed one by one, and as not masking', () => {
    const states = new Set<string>()
    fc.assert(
      fc.property(
        anySessionMessages,
        anySessionPolicy,
        anyRule,
        anyPrices,
        fc.nat(4),
        (messages, policy, rule, prices, smallestWindow) => {
          const { session, sources } = testSession(messages)
          const terms = { prices, rule }
          const swept = sweep(session, policy, sources, terms, BATCHES)
          const advice = recommend(swept, smallestWindow)
          states.add(advice.state)
          if (advice.state !== 'mask' && advice.state !== 'do_not_mask') return
          if (advice.state === 'mask') expect(advice.cost).toBeLessThan(advice.costBefore)
          const chosen = advice.state === 'mask' ? advice.cost : advice.costBefore
          for (
            let windowTurns = smallestWindow;
            windowTurns <= swept.largestWindow;
            windowTurns++
          ) {
            for (const batchTurns of BATCHES) {
              const own = { ...policy, enabled: true, windowTurns, batchTurns }
              const { after } = replay(session, own, sources, terms)
              expect(chosen).toBeLessThanOrEqual(sessionCost(after) as number)
            }
          }
        },
      ),
      { numRuns: 250, seed: 1 },
    )
    expect([...states].sort()).toEqual([
      'do_not_mask',
      'mask',
      'no_results',
      'nothing_maskable',
      'price_unknown',
    ])
  }, 60_000)
})

describe('breakEven', () => {
  const request = (before: number, after: number) => {
    const side = (plain: number) => ({
      tokens: 0,
      split: { read: 0, written: 0, fresh: 0 },
      costs: { plain, cached: plain, output: 0 },
    })
    return {
      request: { end: 1, turnCount: 0, answer: undefined },
      outputTokens: 0,
      before: side(before),
      after: side(after),
      maskedResults: 0,
      firstChanged: undefined,
    }
  }

  test('is the first request from which on the session so far is cheaper, and stays so', () => {
    // So far: 1 and 1, 2 and 1.5, 3 and 3.5, 4 and 4, 5 and 4.5, 6 and 5.5.
    const requests = [
      request(1, 1),
      request(1, 0.5),
      request(1, 2),
      request(1, 0.5),
      request(1, 0.5),
      request(1, 1),
    ]
    expect(breakEven({ requests }, 'cached')).toEqual({ state: 'from_request', request: 4 })
  })

  test('is never when the last word is not cheaper', () => {
    expect(breakEven({ requests: [request(1, 0.5), request(1, 1.5)] }, 'plain')).toEqual({
      state: 'never',
    })
  })
})
