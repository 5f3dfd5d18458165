import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { turnOf } from '../testing/conversation-of'
import { checkModelOverrides } from './model-overrides'
import { breakEven } from './recommend'
import type { Replay, ReplaySide } from './replay'
import { replayFigures } from './replay-figures'
import { preparedOf, sideOf } from './testing/expect-as-replayed'

/** Requests that cost this before and after masking, and end after these messages. */
const requestOf = (before: ReplaySide, after: ReplaySide, end = 1, firstChanged?: number) => ({
  ...{ request: { end, turnCount: 0, answer: undefined }, outputTokens: 0, maskedResults: 0 },
  ...{ before, after, firstChanged },
})

describe('the figures of a replay', () => {
  // Masking saves with caching, and does not without.
  const [before, after] = [sideOf({ plain: 1, cached: 2 }), sideOf({ plain: 2, cached: 1 })]
  const replayOf = (...requests: (readonly [end: number, firstChanged?: number])[]): Replay => {
    const all = requests.map(([end, changed]) => requestOf(before, after, end, changed))
    return { requests: all, before, after, outputTokens: 7 }
  }

  test('count the requests in which a message of the one before has changed', () => {
    // The second one only adds messages; the third changes message 1, the fourth the last one before its end.
    const replay = replayOf([2, 0], [4, 2], [6, 1], [8, 5], [10])
    expect(replayFigures(replay, 2)).toMatchObject({
      ...{ before, after, outputTokens: 7, requestCount: 5, prefixBreaks: 2 },
      breakEven: { state: 'from_request', request: 0 },
      request: { index: 2, count: 5, replayed: replay.requests[2], firstChanged: 1 },
    })
    for (const index of [0, 1, 4])
      expect(replayFigures(replay, index).request).toMatchObject({ index, firstChanged: undefined })
  })

  test('have no request if none is asked for, or there is none', () => {
    expect(replayFigures(replayOf([2, 0])).request).toBeUndefined()
    expect(replayFigures(replayOf([2, 0]), 1).request).toBeUndefined()
  })
})

describe('masking pays', () => {
  const paysFrom = (...costs: (readonly [before: number, after: number])[]) => {
    const requests = costs.map((pair) => {
      const [before, after] = pair.map((cost) => sideOf({ plain: cost, cached: cost }))
      return requestOf(before as ReplaySide, after as ReplaySide)
    })
    return [breakEven({ requests }, 'plain'), breakEven({ requests }, 'cached')]
  }

  test('from the first request on from which the session so far always costs less', () => {
    // So far: 1 and 1, 2 and 1.5, 3 and 3.5, 4 and 4, 5 and 4.5, 6 and 5.5.
    const found = { state: 'from_request', request: 4 }
    expect(paysFrom([1, 1], [1, 0.5], [1, 2], [1, 0.5], [1, 0.5], [1, 1])).toEqual([found, found])
  })

  test('never, if the complete session does not cost less', () => {
    expect(paysFrom([1, 0.5], [1, 1.5])).toEqual([{ state: 'never' }, { state: 'never' }])
  })

  test('from an unknown request on if a price is unknown, of input or of answers, before or after', () => {
    for (const unknown of [sideOf({ plain: undefined }), sideOf({ output: undefined })])
      for (const request of [requestOf(unknown, sideOf({})), requestOf(sideOf({}), unknown)])
        expect(breakEven({ requests: [request] }, 'plain')).toEqual({ state: 'price_unknown' })
  })
})

test.each([
  ['object', 7, undefined],
  ['name_of_at_most_characters', { name: 'x'.repeat(121) }, 'name'],
  ['id_of_cache_family', { cacheFamily: 'nobody' }, 'cacheFamily'],
  ['whole_number_of_tokens_0_or_more', { minimumTokens: 1.5 }, 'minimumTokens'],
  ['whole_number_of_tokens_0_or_more', { stepTokens: -1 }, 'stepTokens'],
  ['whole_number_of_tokens_0_or_more', { contextWindow: '9' }, 'contextWindow'],
  ['dollars_per_million_tokens_0_or_more', { output: Number.POSITIVE_INFINITY }, 'output'],
])('of a model, %s is expected where %j is', (expected, value, key) => {
  expect(checkModelOverrides(value)).toMatchObject({ state: 'invalid', key, expected })
})

test('what is valid of a model is kept, unknown keys are dropped', () => {
  const overrides = { input: 0, cacheFamily: 'none', minimumTokens: 0, name: 'mine' }
  expect(checkModelOverrides({ ...overrides, more: 1 })).toEqual({ state: 'valid', overrides })
})

const MESSAGES = [
  { role: 'user', content: 'begin' },
  ...turnOf('a', 'what the first one gave'),
  ...turnOf('b', 'Error: no such file'),
  ...turnOf('c', 'what the third one gave'),
]
const prepare = (settings: Partial<MaskPolicy> = {}) =>
  preparedOf(MESSAGES, { ...DEFAULT_POLICY, ...settings })

test('a request is triggered from exactly as many tokens on', () => {
  const { session, prefixTokens } = prepare()
  const tokensBefore = session.requests.map(({ end }) => prefixTokens[end] as number)
  expect(tokensBefore).toHaveLength(4)
  for (const [request, triggerTokens] of tokensBefore.entries()) {
    expect(prepare({ triggerTokens }).firstTriggered).toBe(request)
    expect(prepare({ triggerTokens: triggerTokens + 1 }).firstTriggered).toBe(request + 1)
  }
})

test('the results that can be masked are those that the policy does not keep at every age', () => {
  expect(prepare({ keepErrors: true }).maskableResults).toEqual([0, 2])
  expect(prepare({ keepErrors: false }).maskableResults).toEqual([0, 1, 2])
})
