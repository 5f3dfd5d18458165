import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { turnOf } from '../testing/conversation-of'
import {
  anyLog,
  anyMessagesWithUniqueIds,
  anyPrices,
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  testLog,
  testSession,
} from '../testing/test-sessions'
import { forAll, testSize } from '../testing/test-size'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import type { CacheRule } from './prompt-cache'
import { DEFAULT_ADVICE, recommend } from './recommend'
import { replay, replayTotal } from './replay'
import { windowChanges } from './request-changes'
import {
  lossAt,
  NOTHING_LOST,
  pointAt,
  pointsOfBatch,
  type Sweep,
  sumSweeps,
  sweep,
  sweepPrepared,
} from './sweep'
import { expectAsReplayed, pointsOf } from './testing/expect-as-replayed'
import { toolTurns } from './testing/tool-turns'

const LONG_SESSION_RULES: readonly CacheRule[] = [
  { kind: 'prefix', minimumTokens: 64, stepTokens: 16 },
  {
    kind: 'breakpoint',
    minimumTokens: 64,
    stepTokens: 1,
    lookBack: undefined,
    isHeadMarked: false,
  },
]
const BATCHES = [1, 2, 3, 8]

describe('sweep', () => {
  test('equals the replay at every window and batch, to the last digit', () => {
    let pointsThatMask = 0
    forAll(
      100,
      [anySessionMessages, anySessionPolicy, anyRule, anyPrices],
      (messages, policy, rule, prices) => {
        const { session, sources } = testSession(messages)
        const terms = { prices, rule }
        const swept = sweep(session, policy, sources, terms, { batches: BATCHES })
        for (let windowTurns = 0; windowTurns <= swept.largestWindow + 1; windowTurns++) {
          for (const batchTurns of BATCHES) {
            const own = { ...policy, enabled: true, windowTurns, batchTurns }
            const { after } = replay(session, own, sources, terms)
            const { tokens, costs } = after
            expect(pointAt(swept, { windowTurns, batchTurns })?.total).toMatchObject({
              tokens,
              costs,
            })
            if (after.tokens !== swept.before.tokens) pointsThatMask++
          }
        }
      },
    )
    expect(pointsThatMask).toBeGreaterThan(testSize(10, 200))
  }, 60_000)

  test('equals the replay for the requests of a log', () => {
    forAll(
      100,
      [anyLog, anySessionPolicy, anyRule, anyPrices],
      ([messages, ends], policy, rule, prices) => {
        const { session, sources } = testLog(messages, ends)
        const prepared = prepareReplay(session, policy, sources)
        const swept = sweepPrepared(prepared, { prices, rule })
        expectAsReplayed(pointsOf(swept), prepared, { prices, rule })
      },
    )
  }, 60_000)

  test('equals the replay for a long session whose ids are used again', () => {
    const turns = testSize(40, 200)
    for (const [ids, keepLastKPerTool] of [
      [1, 0],
      [5, 0],
      [turns / 2, 0],
      [turns / 2, 3],
    ] as const) {
      const messages = Array.from({ length: turns }, (_, turn) =>
        turnOf(`call_${turn % ids}`, `${turn} `.repeat(90), `tool_${turn % 3}`),
      )
      const { session, sources } = testSession([
        { role: 'user', content: 'go' },
        ...messages.flat(),
      ])
      const policy = { ...DEFAULT_POLICY, enabled: true, keepLastKPerTool }
      const prepared = prepareReplay(session, policy, sources)
      for (const rule of LONG_SESSION_RULES) {
        const terms = { prices: UNKNOWN_PRICES, rule }
        const points = pointsOf(sweepPrepared(prepared, terms, { batches: [1, 4] }))
        const some = points.filter(({ windowTurns }) => windowTurns % 7 === 1)
        expectAsReplayed(some, prepared, terms)
      }
    }
  })
})

test('a result that is masked comes back when a later result of its call is kept', () => {
  const turn = (id: string) => turnOf(id, 'x'.repeat(900))
  const messages = [...turn('a'), ...turn('b'), ...turn('c').slice(0, 1), ...turn('a').slice(1)]
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepLastKPerTool: 1 }
  const { session, sources } = testSession([...messages, ...turn('d').slice(0, 1)])
  const prepared = prepareReplay(session, policy, sources)
  const changes = windowChanges(prepared)
  changes.restart(policy)
  const placeholders = session.requests.map((_, request) => {
    changes.next(request)
    return [...changes.state.slice(0, request + 1)].map((number) => Math.min(number, 1))
  })
  expect(placeholders).toEqual([[0], [1, 0], [0, 1, 0]])
  const terms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } as const }
  expectAsReplayed(pointsOf(sweepPrepared(prepared, terms)), prepared, terms)
})

describe('a point', () => {
  const { session, sources } = testSession(toolTurns(6))
  const prepared = prepareReplay(session, DEFAULT_POLICY, sources)
  const terms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } as const }

  test('of a batch that was not swept is unknown', () => {
    const swept = sweepPrepared(prepared, terms, { batches: [1, 3] })
    const window = { windowTurns: 2, batchTurns: 2 }
    expect([pointAt(swept, window), lossAt(swept, window)]).toEqual([undefined, undefined])
    expect(lossAt(swept, { windowTurns: 2, batchTurns: 3 })).toEqual(NOTHING_LOST)
  })

  test('loses what its window loses; a cost that is unknown for one session is unknown for the sum', () => {
    const window = { windowTurns: 2, batchTurns: 1 }
    const loss = { uses: 3, results: 2, plain: 5, cached: undefined }
    const unknown = { ...loss, plain: undefined, cached: 7 }
    const swept = [loss, unknown].map((one) =>
      sweepPrepared(prepared, terms, { batches: [1] }, () => (windowTurns) => ({
        ...one,
        uses: one.uses * windowTurns,
      })),
    )
    expect(swept.map((one) => lossAt(one, window))).toEqual([
      { ...loss, uses: 6 },
      { ...unknown, uses: 6 },
    ])
    const sumOf = (...sweeps: readonly Sweep[]) => lossAt(sumSweeps(sweeps), window)
    expect(sumOf(...swept)).toEqual({ uses: 12, results: 4, plain: undefined, cached: undefined })
    const [first, second] = swept as [Sweep, Sweep]
    expect(sumOf(first, first)).toMatchObject({ plain: 10, cached: undefined })
    expect(sumOf(second, second)).toMatchObject({ plain: undefined, cached: 14 })
  })

  test('of a session without requests is nothing', () => {
    const none = testSession([{ role: 'assistant', content: 'hello' }])
    const swept = sweep(none.session, DEFAULT_POLICY, none.sources, terms)
    expect(swept).toMatchObject({ sentResults: 0, largestWindow: 0, before: { tokens: 0 } })
    expect(recommend(swept, 0, { ...DEFAULT_ADVICE, smallestWindow: 1 })).toEqual({
      state: 'no_results',
    })
  })
})

describe('sumSweeps', () => {
  test('leaves out settings that were not swept, and adds those up that were', () => {
    const prepared = [20, 9].map((turns) => {
      const { session, sources } = testSession(toolTurns(turns))
      return prepareReplay(session, DEFAULT_POLICY, sources)
    })
    const terms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } as const }
    const grid = { batches: [1, 4], windows: [1, 2, 5, 12, 40] }
    const sum = sumSweeps(prepared.map((one) => sweepPrepared(one, terms, grid)))
    expect(sum.windows).toEqual([1, 2, 5, 12])
    expect(pointAt(sum, { windowTurns: 3, batchTurns: 4 })).toBeUndefined()
    expect(pointAt(sum, { windowTurns: 2, batchTurns: 3 })).toBeUndefined()
    expect(pointsOfBatch(sum, 3)).toEqual([])
    const points = pointsOf(sum)
    expect(points).toHaveLength(8)
    for (const { total, ...window } of points) {
      const tokens = prepared.map((one) => replayTotal(one, window, terms).tokens)
      expect(total.tokens).toBe(tokens.reduce((all, one) => all + one, 0))
    }
  })

  test('adds up sessions point by point; windows longer than a session mask nothing in it', () => {
    forAll(
      30,
      [fc.array(anyMessagesWithUniqueIds, { maxLength: 3 }), anySessionPolicy, anyRule, anyPrices],
      (sessions, policy, rule, prices) => {
        const sweeps = sessions.map((messages) => {
          const { session, sources } = testSession(messages)
          return sweep(session, policy, sources, { prices, rule }, { batches: BATCHES })
        })
        const summed = sumSweeps(sweeps)
        const sumOf = (of: (one: Sweep) => number | undefined) =>
          sweeps.reduce<number>((all, one) => all + (of(one) ?? Number.NaN), 0)
        expect(summed.batches).toEqual(sessions.length === 0 ? [] : BATCHES)
        expect(summed.windows).toHaveLength(Math.max(0, summed.largestWindow - 1))
        expect(summed.sentResults).toBe(sumOf(({ sentResults }) => sentResults))
        expect(summed.maskableResults).toBe(sumOf(({ maskableResults }) => maskableResults))
        expect(summed.before.tokens).toBe(sumOf(({ before }) => before.tokens))
        for (const { total, ...window } of pointsOf(summed)) {
          expect(total.tokens).toBe(sumOf((one) => pointAt(one, window)?.total.tokens))
          for (const kind of ['plain', 'cached', 'output'] as const)
            expect(total.costs[kind] ?? Number.NaN).toBe(
              sumOf((one) => pointAt(one, window)?.total.costs[kind]),
            )
        }
      },
    )
  })
})
