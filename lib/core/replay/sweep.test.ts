import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { turnOf } from '../testing/conversation-of'
import {
  ANY_REPLAY,
  ANY_TERMS,
  anyLog,
  anyMessagesWithUniqueIds,
  breakpointRule,
  prefixRule,
  testLog,
  UNCACHED,
} from '../testing/test-sessions'
import { forAll, testSize } from '../testing/test-size'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import { DEFAULT_ADVICE, recommend } from './recommend'
import { replayPrepared } from './replay'
import { lossAt, NOTHING_LOST, pointAt, type Sweep, sumSweeps, sweepPrepared } from './sweep'
import { expectAsReplayed, pointsOf, preparedOf } from './testing/expect-as-replayed'
import { toolTurns } from './testing/tool-turns'

const BATCHES = [1, 2, 3, 8]

describe('sweep', () => {
  test('equals the replay at every window and batch, to the last digit', () => {
    let pointsThatMask = 0
    forAll(100, ANY_REPLAY, (messages, policy, rule, prices) => {
      const prepared = preparedOf(messages, policy)
      const terms = { prices, rule }
      const swept = sweepPrepared(prepared, terms, { batches: BATCHES })
      for (let windowTurns = 0; windowTurns <= swept.largestWindow + 1; windowTurns++) {
        for (const batchTurns of BATCHES) {
          const { tokens, costs } = replayPrepared(
            prepared,
            { windowTurns, batchTurns },
            terms,
          ).after
          const { total } = pointAt(swept, { windowTurns, batchTurns }) ?? {}
          expect(total).toEqual({ tokens, costs })
          if (tokens !== swept.before.tokens) pointsThatMask++
        }
      }
    })
    expect(pointsThatMask).toBeGreaterThan(testSize(10, 200))
  })

  test('equals the replay for the requests of a log', () => {
    forAll(100, [anyLog, ...ANY_TERMS], ([messages, ends], policy, rule, prices) => {
      const { session, sources } = testLog(messages, ends)
      expectAsReplayed(prepareReplay(session, policy, sources), { prices, rule })
    })
  })

  test('equals the replay for a long session whose ids are used again', () => {
    const turns = testSize(40, 200)
    const half = turns / 2
    for (const [ids = 1, keepLastKPerTool = 0] of [[1], [5], [half], [half, 3]]) {
      const messages = Array.from({ length: turns }, (_, turn) =>
        turnOf(`call_${turn % ids}`, `${turn} `.repeat(90), `tool_${turn % 3}`),
      )
      const policy = { ...DEFAULT_POLICY, enabled: true, keepLastKPerTool }
      const prepared = preparedOf([{ role: 'user', content: 'go' }, ...messages.flat()], policy)
      const windows = Array.from({ length: turns / 7 }, (_, at) => at * 7 + 1)
      for (const rule of [prefixRule(64, 16), breakpointRule(64)])
        expectAsReplayed(prepared, { prices: UNKNOWN_PRICES, rule }, { batches: [1, 4], windows })
    }
  })
})

describe('a point', () => {
  const prepared = preparedOf(toolTurns(6))

  test('of a batch that was not swept is unknown', () => {
    const swept = sweepPrepared(prepared, UNCACHED, { batches: [1, 3] })
    const window = { windowTurns: 2, batchTurns: 2 }
    expect([pointAt(swept, window), lossAt(swept, window)]).toEqual([undefined, undefined])
    expect(lossAt(swept, { windowTurns: 2, batchTurns: 3 })).toEqual(NOTHING_LOST)
  })

  test('loses what its window loses; a cost that is unknown for one session is unknown for the sum', () => {
    const window = { windowTurns: 2, batchTurns: 1 }
    const loss = { uses: 3, results: 2, plain: 5, cached: undefined }
    const unknown = { ...loss, plain: undefined, cached: 7 }
    const [first, second] = [loss, unknown].map((one) =>
      sweepPrepared(prepared, UNCACHED, { batches: [1] }, ({ windowTurns }) => ({
        ...one,
        uses: one.uses * windowTurns,
      })),
    ) as [Sweep, Sweep]
    expect(lossAt(first, window)).toEqual({ ...loss, uses: 6 })
    expect(lossAt(second, window)).toEqual({ ...unknown, uses: 6 })
    const sumOf = (...sweeps: readonly Sweep[]) => lossAt(sumSweeps(sweeps), window)
    const sum = { uses: 12, results: 4, plain: undefined, cached: undefined }
    expect(sumOf(first, second)).toEqual(sum)
    expect(sumOf(first, first)).toEqual({ ...sum, plain: 10 })
    expect(sumOf(second, second)).toEqual({ ...sum, cached: 14 })
  })

  test('of a session without requests is nothing', () => {
    const swept = sweepPrepared(preparedOf([{ role: 'assistant', content: 'hello' }]), UNCACHED)
    expect(swept).toMatchObject({ sentResults: 0, largestWindow: 0, before: { tokens: 0 } })
    const advice = recommend(swept, 0, { ...DEFAULT_ADVICE, smallestWindow: 1 })
    expect(advice).toEqual({ state: 'no_results' })
  })
})

describe('sumSweeps', () => {
  test('leaves out settings that were not swept, and adds those up that were', () => {
    const prepared = [20, 9].map((turns) => preparedOf(toolTurns(turns)))
    const grid = { batches: [1, 4], windows: [1, 2, 5, 12, 40] }
    const sum = sumSweeps(prepared.map((one) => sweepPrepared(one, UNCACHED, grid)))
    expect(sum.windows).toEqual([1, 2, 5, 12])
    expect(pointAt(sum, { windowTurns: 3, batchTurns: 4 })).toBeUndefined()
    expect(pointAt(sum, { windowTurns: 2, batchTurns: 3 })).toBeUndefined()
    const points = pointsOf(sum)
    expect(points).toHaveLength(8)
    for (const { total, ...window } of points) {
      const tokens = prepared.map((one) => replayPrepared(one, window, UNCACHED).after.tokens)
      expect(total.tokens).toBe(tokens.reduce((all, one) => all + one, 0))
    }
  })

  test('adds up sessions point by point; windows longer than a session mask nothing in it', () => {
    const anySessions = fc.array(anyMessagesWithUniqueIds, { maxLength: 3 })
    forAll(30, [anySessions, ...ANY_TERMS], (sessions, policy, rule, prices) => {
      const sweeps = sessions.map((messages) =>
        sweepPrepared(preparedOf(messages, policy), { prices, rule }, { batches: BATCHES }),
      )
      const summed = sumSweeps(sweeps)
      const sumOf = (of: (one: Sweep) => number | undefined) =>
        sweeps.reduce<number>((all, one) => all + (of(one) ?? Number.NaN), 0)
      expect(summed.batches).toEqual(sessions.length === 0 ? [] : BATCHES)
      expect(summed.windows).toHaveLength(Math.max(0, summed.largestWindow - 1))
      expect(summed.sentResults).toBe(sumOf(({ sentResults }) => sentResults))
      expect(summed.maskableResults).toBe(sumOf(({ maskableResults }) => maskableResults))
      expect(summed.before.tokens).toBe(sumOf(({ before }) => before.tokens))
      for (const { total, ...window } of pointsOf(summed)) {
        const sumAt = (of: (at: typeof total) => number | undefined) =>
          sumOf((one) => of(pointAt(one, window)?.total as typeof total))
        expect(total.tokens).toBe(sumAt(({ tokens }) => tokens))
        for (const kind of ['plain', 'cached', 'output'] as const)
          expect(total.costs[kind] ?? Number.NaN).toBe(sumAt(({ costs }) => costs[kind]))
      }
    })
  })
})
