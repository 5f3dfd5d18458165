import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../policy/policy'
import { turnOf } from '../../testing/conversation-of'
import {
  breakpointRule,
  flatPrices,
  prefixRule,
  readSession,
  testLog,
  testSession,
} from '../../testing/test-sessions'
import { forAll, testSize } from '../../testing/test-size'
import { type CacheFamily, cacheFamilyById } from '../cache-rules'
import { prepareReplay } from '../prepare-replay'
import type { CacheRule } from '../prompt-cache'
import { replayPrepared } from '../replay'
import { preparedOf } from '../testing/expect-as-replayed'
import {
  anyCase,
  type Case,
  type Facts,
  leastByReplay,
  prepareCase,
} from '../testing/least-by-replay'
import { toolTurns } from '../testing/tool-turns'
import { sessionLimit } from './session-limit'

const anyBatch = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant('auto' as const))

describe('the limit of a session', () => {
  test('equals a replay of all sequences of moves', () => {
    forAll(testSize(400, 500), [anyCase], (one) => {
      const { prepared, terms, needed } = prepareCase(one)
      const { requests } = prepared.session
      fc.pre(requests.length <= 14 && one.windowTurns >= prepared.fixedFrom)
      for (const neededUntil of [new Map<number, number>(), needed]) {
        const least = leastByReplay(prepared, one.windowTurns, terms, neededUntil)
        fc.pre(least !== undefined)
        const limit = sessionLimit(prepared, one.windowTurns, terms, neededUntil)
        expect(limit?.cost).toBeCloseTo(least as number, 12)
      }
    })
  }, 300_000)

  test('no policy with the window costs less', () => {
    forAll(testSize(300, 5000), [anyCase, anyBatch], (one, batchTurns) => {
      const { prepared, terms } = prepareCase(one)
      const { windowTurns } = one
      const limit = sessionLimit(prepared, windowTurns, terms)
      expect(limit === undefined).toBe(windowTurns < prepared.fixedFrom)
      if (limit === undefined) return
      const { cached } = replayPrepared(prepared, { windowTurns, batchTurns }, terms).after.costs
      expect(limit.cost).toBeLessThanOrEqual((cached as number) + 1e-12)
      const before = replayPrepared(prepared, { windowTurns: 0, batchTurns: 1 }, terms).after.costs
        .cached
      expect(limit.cost).toBeLessThanOrEqual((before as number) + 1e-12)
    })
  }, 300_000)
})

describe('the limit equals a replay of all sequences of moves', () => {
  const none = Array(12).fill(null)
  const only = (at: number, value: unknown) => none.with(at, value)
  const facts = { lifetimeSeconds: undefined, warmTokens: undefined, readableHead: undefined }
  const expectLeast = (
    source: Case['source'],
    own: Partial<Facts>,
    rule: CacheRule = prefixRule(),
  ) => {
    const { prepared, terms, needed } = prepareCase({
      ...{ source, policy: DEFAULT_POLICY, windowTurns: 1, rule },
      prices: flatPrices(1, 0.1, 1.25, 5),
      facts: { ...facts, pauses: none, signed: [], cleared: [], needed: none, ...own },
    })
    const least = leastByReplay(prepared, 1, terms, needed)
    expect(sessionLimit(prepared, 1, terms, needed)?.cost).toBeCloseTo(least as number, 12)
    return prepared
  }

  test('where a result is cleared as soon as the answer that has it is sent', () => {
    const ran = (id: string) => {
      const outputs = [{ type: 'logs', logs: 'x'.repeat(900) }]
      const call = { type: 'code_interpreter_call', id, code: 'run()', outputs }
      return [{ type: 'message', role: 'user', content: 'go' }, call]
    }
    const items = [...['a', 'b', 'c', 'd'].flatMap(ran), ...ran('e').slice(0, 1)]
    const { clearings } = expectLeast(() => readSession(JSON.stringify(items)), {
      cleared: [0, null],
    })
    expect(clearings.map(({ from }) => from)).toEqual([1, 3])
  })

  test.each([
    ['the longest common prefix', prefixRule()],
    ['the entries of the last requests', breakpointRule()],
    ['units', { kind: 'units', intervalTokens: 1, minimumTokens: 0 }],
  ] as const)('where the cache has expired, of %s', (_, rule) => {
    const pauses = Array(12).fill(1).with(4, 20)
    const expiring = { pauses, lifetimeSeconds: 10 } as const
    const { maskings } = expectLeast(() => testSession(toolTurns(7)), expiring, rule)
    expect(maskings).toHaveLength(6)
  })

  test('where a result is cleared that was before signed thinking when a move came', () => {
    const { maskings, clearings } = expectLeast(() => testSession(toolTurns(7)), {
      signed: only(6, true),
      cleared: only(0, 10),
    })
    expect(maskings.map(({ by }) => by)).toEqual([2, 2, 6, 6, 6])
    expect(clearings.map(({ from }) => from)).toEqual([5])
  })
})

test('a move can stop at a turn that has nothing to mask', () => {
  const longTurns = [1, 4]
  const messages = Array.from({ length: 14 }, (_, turn) =>
    turnOf(`${turn}`, longTurns.includes(turn) ? 'x'.repeat(900) : 'short'),
  ).flat()
  const ends = [6, 9, 14].map((turns) => 2 * turns)
  const { session, sources } = testLog(messages, ends)
  const prepared = prepareReplay(session, { ...DEFAULT_POLICY, neverGrow: true }, sources)
  const rule: CacheRule = { kind: 'prefix', minimumTokens: 0, stepTokens: 1 }
  // Reads are dear, so the second request masks turn 1 and the third one turn 4.
  const terms = { prices: flatPrices(1, 3, 0.5, 0), rule }
  const { cached } = replayPrepared(prepared, { windowTurns: 4, batchTurns: 3 }, terms).after.costs
  expect(sessionLimit(prepared, 4, terms)).toEqual({ cost: cached, moves: [1, 2] })
  expect(sessionLimit(prepared, 0, terms)).toBeUndefined()
})

test('a long session with many ways is searched, and given up only if reads are dearer than writes', () => {
  const messages = Array.from({ length: 300 }, (_, turn) =>
    turnOf(`${turn}`, 'x'.repeat(900), `tool_${turn % 3}`),
  )
  const policy = { ...DEFAULT_POLICY, enabled: true }
  const prepared = preparedOf(messages.flat(), policy)
  const { rule } = cacheFamilyById('deepseek-4') as CacheFamily
  // Every fifth result is needed for a while longer than the window has it.
  const needed = new Map(
    messages.flatMap((_, turn) =>
      turn % 5 === 0 ? [[turn, turn + 20 + (turn % 70)] as const] : [],
    ),
  )
  const cheap = { prices: flatPrices(1, 0.1, 1, 5), rule }
  const costOf = (...more: [ReadonlyMap<number, number>?]) =>
    sessionLimit(prepared, 8, cheap, ...more)?.cost as number
  const before = replayPrepared(prepared, { windowTurns: 0, batchTurns: 1 }, cheap).after.costs
    .cached
  expect(costOf(needed)).toBeGreaterThan(costOf())
  expect(costOf(needed)).toBeLessThan(before as number)
  const dear = { prices: flatPrices(1, 3, 0.5, 0), rule }
  expect(sessionLimit(prepared, 8, dear, needed)).toBeUndefined()
  // Without prices nothing is dearer than anything else, so nothing would end such a search.
  const none = undefined
  const prices = { input: none, cachedRead: none, cacheWrite: none, output: none }
  for (const id of ['deepseek-4', 'openai-5', 'anthropic-1024']) {
    const { rule } = cacheFamilyById(id) as CacheFamily
    expect(sessionLimit(prepared, 8, { prices, rule })).toBeUndefined()
  }
})
