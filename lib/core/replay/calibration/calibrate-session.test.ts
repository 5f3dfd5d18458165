/** A session's calibration, and its replay by that. */
import { describe, expect, test } from 'vitest'
import { countQuarters } from '../../testing/policies'
import { usageWith } from '../../testing/usage-with'
import { NO_WINDOW, prepareReplay } from '../prepare-replay'
import type { CacheRule } from '../prompt-cache'
import { replayPrepared } from '../replay'
import type { SessionRequest } from '../sessions'
import { CHARGED, fit, micro, policy, session, sources, TERMS } from '../testing/eight-requests'
import {
  assumedCalibrationOf,
  type Calibration,
  chargedRequestsOf,
  fitSessions,
} from './calibrate-session'
import { readableTokensOf } from './readable-head'

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

  test('of few steps has the slope of the one in which the client cleared results', () => {
    const { conversation, requests } = session
    const results = conversation.results.map((result, at) =>
      at === 0 ? { ...result, clearedAt: requests[4]?.end as number } : result,
    )
    const cleared = { ...session, conversation: { ...conversation, results } }
    const counted = chargedRequestsOf(cleared).map((one) => one.counted)
    const charged = {
      ...cleared,
      requests: requests.slice(0, 5).map((request, index) => ({
        ...request,
        usage: usageWith({ inputTokens: 10_000 + 2 * (counted[index] as number) }),
      })),
    }
    const [found] = fitSessions([charged])
    expect(counted[4]).toBeLessThan(counted[3] as number)
    expect(found).toMatchObject({ slope: 2, isSlopeFitted: false })
  })

  test('has a head of its own for each session, and shares the rest', () => {
    const later = {
      ...session,
      requests: session.requests.map((request) => ({
        ...request,
        usage: request.usage && {
          ...request.usage,
          inputTokens: (request.usage.inputTokens ?? 0) + 5000,
        },
      })),
    }
    const heads = fitSessions([session, later]).map((one) => [one?.headTokens, one?.slope])
    expect(heads).toEqual([
      [10_000, 1.2],
      [15_000, 1.2],
    ])
  })

  test('is assumed for models whose tokenizer is known', () => {
    const slopes = ['claude-opus-4-8', 'claude-sonnet-4-6', 'gpt-5', undefined].map(
      (model) => assumedCalibrationOf(model)?.slope,
    )
    expect(slopes).toEqual([1.35, 1.15, undefined, undefined])
  })

  test.each([0, 4000, 10_000])('reads %i tokens after a change, as the first did', (warmTokens) => {
    const read = { ...fit, warmTokens, readableTokens: undefined }
    const warm = prepareReplay(session, policy, sources, read)
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

  test.each([true, false])('finds whether hidden thinking is sent again: %s', (isSent) => {
    // Of the charged output of an answer, 200 or 400 tokens are not in the file.
    const hiddenOf = (request: number) => (request % 2 === 0 ? 200 : 400)
    const hidden = (request: number) =>
      isSent ? session.requests.slice(0, request).reduce((sum, _, at) => sum + hiddenOf(at), 0) : 0
    const thinking = {
      ...session,
      requests: session.requests.map((request, index) => ({
        ...request,
        usage: request.usage && {
          ...request.usage,
          inputTokens: (CHARGED[index] as number) + hidden(index) + 7 * (index % 3),
          outputTokens: 1.2 * 16 + hiddenOf(index),
        },
      })),
    }
    const [found] = fitSessions([thinking])
    expect(found?.addsOutput).toBe(isSent)
    expect(found?.residualPercent).toBeLessThan(1)
  })

  test('of a session that began without a cache reads what later losses left, or a share of what it wrote', () => {
    const readableOf = (reads: readonly number[], written: number | undefined) =>
      readableTokensOf(
        reads.map((cacheReadTokens, at) => ({
          ...(session.requests[at] as SessionRequest),
          usage: usageWith({ cacheReadTokens, cacheWriteTokens: written }),
        })),
      )
    expect(readableOf([0, 1000, 1200], 1000)).toBe(660)
    expect(readableOf([0, 1000, 400, 500, 0], 1000)).toBe(450)
    expect([readableOf([300, 100], 1000), readableOf([0, 100], undefined)]).toEqual([
      undefined,
      undefined,
    ])
  })

  test('caches no more of the head than it has', () => {
    const warmOf = (calibration: Calibration) =>
      prepareReplay(session, policy, sources, calibration).session.warmTokens
    expect(warmOf({ ...fit, warmTokens: 50_000 })).toBe(10_004)
    expect(warmOf({ headTokens: 5, slope: 1, requestTokens: 0 })).toBe(0)
  })
})
