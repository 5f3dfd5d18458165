/** A session's calibration, and its replay by that. */
import { describe, expect, test } from 'vitest'
import { countQuarters } from '../../testing/policies'
import { NO_WINDOW, prepareReplay } from '../prepare-replay'
import type { CacheRule } from '../prompt-cache'
import { replayPrepared } from '../replay'
import { CHARGED, fit, micro, policy, session, sources, TERMS } from '../testing/eight-requests'
import { assumedCalibrationOf, type Calibration, fitSessions } from './calibrate-session'

const prepared = prepareReplay(session, policy, sources, fit)

describe('a session of eight requests', () => {
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
    expect(requests.map(({ outputTokens }) => outputTokens - 100)).toEqual([...requests.keys()])
    expect(micro(before.costs.cached)).toBe(484_896)
  })

  test('is masked in the same tokens: a result by the slope, head and reminders stay', () => {
    const masked = replayPrepared(prepared, { windowTurns: 1, batchTurns: 1 }, TERMS)
    const gone = countQuarters('gone')
    // Request 2 is the first in which a result, of 4,000 characters, is outside the window.
    const third = masked.requests[2]
    expect(third?.before.tokens).toBe(12_076)
    expect(third?.after.tokens).toBe(12_076 - (1.2 * 1000 - Math.round(1.2 * gone)))
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
    const slopes = ['claude-opus-4-8', 'claude-sonnet-4-6', 'gpt-5', undefined].map(
      (model) => assumedCalibrationOf(model)?.slope,
    )
    expect(slopes).toEqual([1.35, 1.15, undefined, undefined])
  })

  test.each([0, 4000, 10_000])('reads %i tokens after a change, as the first did', (warmTokens) => {
    const warm = prepareReplay(session, policy, sources, { ...fit, warmTokens })
    const sizes = { minimumTokens: 0, stepTokens: 1 }
    const lookBack = { unit: 'requests', count: 1 } as const
    const rules: readonly CacheRule[] = [
      { kind: 'prefix', ...sizes },
      { kind: 'breakpoint', ...sizes, lookBack, isHeadMarked: true },
    ]
    for (const rule of rules) {
      const window = { windowTurns: 1, batchTurns: 1 }
      const { requests } = replayPrepared(warm, window, { ...TERMS, rule })
      // Request 2 is the first with a masked result.
      expect(requests[2]?.after.split.read).toBe(warmTokens)
      expect(requests[2]?.before.split.read).toBe(11_402)
    }
  })

  test('caches no more of the head than it has', () => {
    const warmOf = (calibration: Calibration) =>
      prepareReplay(session, policy, sources, calibration).session.warmTokens
    expect(warmOf({ ...fit, warmTokens: 50_000 })).toBe(10_004)
    expect(warmOf({ headTokens: 5, slope: 1, requestTokens: 0 })).toBe(0)
  })
})
