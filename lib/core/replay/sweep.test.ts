import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import type { JsonValue } from '../testing/chat-messages'
import {
  anyLog,
  anyMessagesWithUniqueIds,
  anyPrices,
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  flatPrices,
  testLog,
  testSession,
} from '../testing/test-sessions'
import { fuzz, testSize } from '../testing/test-size'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import type { CacheRule } from './prompt-cache'
import { DEFAULT_ADVICE, recommend, sessionCost } from './recommend'
import { replay, replayTotal } from './replay'
import { prefixTokensOf } from './sessions'
import {
  lossAt,
  NOTHING_LOST,
  pointAt,
  pointsOfBatch,
  type Sweep,
  type SweepPoint,
  sumSweeps,
  sweep,
  sweepInSteps,
  sweepPrepared,
} from './sweep'
import { sweepGrid } from './sweep-grid'
import { walkMaskedRequests } from './walk-masked-requests'

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

function pointsOf(swept: Sweep): SweepPoint[] {
  return swept.batches.flatMap((batch) => pointsOfBatch(swept, batch))
}

/** Messages of so many tool turns, each with a result that is longer than its placeholder. */
function turnsOf(count: number): JsonValue[] {
  return Array.from({ length: count }, (_, turn): JsonValue[] => [
    { role: 'assistant', tool_calls: [{ id: `${turn}`, function: { name: 'read' } }] },
    { role: 'tool', tool_call_id: `${turn}`, content: 'x'.repeat(900) },
  ]).flat()
}

describe('sweep', () => {
  test('equals the replay at every window and batch, to the last digit', () => {
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
      ),
      fuzz(100),
    )
    expect(pointsThatMask).toBeGreaterThan(testSize(10, 200))
  }, 60_000)

  test('equals the replay for the requests of a log', () => {
    fc.assert(
      fc.property(
        anyLog,
        anySessionPolicy,
        anyRule,
        anyPrices,
        ([messages, ends], policy, rule, prices) => {
          const { session, sources } = testLog(messages, ends)
          const prepared = prepareReplay(session, policy, sources)
          for (const point of pointsOf(sweepPrepared(prepared, { prices, rule }))) {
            const { tokens, costs } = replayTotal(prepared, point, { prices, rule })
            expect(point.total).toEqual({ tokens, costs })
          }
        },
      ),
      fuzz(100),
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
      const messages = Array.from({ length: turns }, (_, turn) => {
        const id = `call_${turn % ids}`
        const call = { id, function: { name: `tool_${turn % 3}`, arguments: '{}' } }
        return [
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: id, content: `${turn} `.repeat(90) },
        ]
      })
      const { session, sources } = testSession([
        { role: 'user', content: 'go' },
        ...messages.flat(),
      ])
      const policy = { ...DEFAULT_POLICY, enabled: true, keepLastKPerTool }
      const prepared = prepareReplay(session, policy, sources)
      for (const rule of LONG_SESSION_RULES) {
        const terms = { prices: UNKNOWN_PRICES, rule }
        for (const point of pointsOf(sweepPrepared(prepared, terms, { batches: [1, 4] }))) {
          if (point.windowTurns % 7 !== 1) continue
          const { tokens, costs } = replayTotal(prepared, point, terms)
          expect(point.total).toEqual({ tokens, costs })
        }
      }
    }
  })
})

describe('answers that contain results, as of tools that a provider runs', () => {
  const answer = (id: string, resultIds: readonly string[]) => ({
    role: 'assistant',
    content: [
      { type: 'mcp_tool_use', id, name: 'find', server_name: 'docs', input: {} },
      ...resultIds.map((of) => ({
        type: 'mcp_tool_result',
        tool_use_id: of,
        content: [{ type: 'text', text: 'x'.repeat(900) }],
      })),
    ],
  })
  const user = { role: 'user', content: 'go on' }
  const policy = { ...DEFAULT_POLICY, enabled: true, textParts: true }
  const termsOf = (intervalTokens: number | undefined) => {
    const rule = { kind: 'units', minimumTokens: 0, intervalTokens } as const
    return { prices: UNKNOWN_PRICES, rule }
  }

  test('are read from the cache until one of their results is masked', () => {
    const turns = ['a', 'b', 'c', 'd', 'e'].flatMap((id) => [user, answer(id, [id])])
    const { session, sources } = testSession([...turns, user])
    const own = { ...policy, windowTurns: 2 }
    const { requests } = replay(session, own, sources, termsOf(undefined))
    const prefix = prefixTokensOf(session.counts.messages, session.counts.perRequest)
    const saved = (requests[3]?.before.tokens ?? 0) - (requests[3]?.after.tokens ?? 0)
    expect(requests.map(({ after }) => after.split.read)).toEqual([
      0,
      prefix[2],
      prefix[4],
      // The first answer is masked from here on, then the second one; what two requests had before that is a unit.
      prefix[1],
      prefix[1],
      (prefix[3] as number) - saved,
    ])
  })

  test('count once a request sends them', () => {
    const turns = [
      user,
      answer('a', ['a']),
      user,
      answer('b', ['b']),
      user,
      answer('c', ['c', 'a']),
    ]
    const { session, sources } = testSession(turns)
    const swept = sweep(session, policy, sources, termsOf(undefined))
    expect(swept).toMatchObject({ sentResults: 2, maskableResults: 2 })
  })

  test('are swept as they are replayed', () => {
    let reads = 0
    const anyTurn = fc.record({ isAnswered: fc.boolean(), late: fc.nat(3), hasUser: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(anyTurn, { minLength: 3, maxLength: 14 }),
        fc.constantFrom(undefined, 100),
        (turns, intervalTokens) => {
          const messages = turns.flatMap(({ isAnswered, late, hasUser }, turn) => {
            const ids = [
              ...(isAnswered ? [`${turn}`] : []),
              ...(late > 0 ? [`${turn - late}`] : []),
            ]
            return [...(hasUser ? [user] : []), answer(`${turn}`, ids)]
          })
          const { session, sources } = testSession([user, ...messages, user])
          const prepared = prepareReplay(session, policy, sources)
          const terms = { ...termsOf(intervalTokens), prices: flatPrices(1, 0.1, 1, 1) }
          for (const point of pointsOf(sweepPrepared(prepared, terms))) {
            const { tokens, costs, split } = replayTotal(prepared, point, terms)
            expect(point.total).toEqual({ tokens, costs })
            reads += split.read
          }
        },
      ),
      fuzz(250),
    )
    expect(reads).toBeGreaterThan(0)
  })
})

test('a result that is masked comes back when a later result of its call is kept', () => {
  const call = (id: string) => ({
    role: 'assistant',
    tool_calls: [{ id, function: { name: 'read' } }],
  })
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x'.repeat(900) })
  const messages = [call('a'), result('a'), call('b'), result('b'), call('c'), result('a')]
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepLastKPerTool: 1 }
  const { session, sources } = testSession([...messages, call('d')])
  const prepared = prepareReplay(session, policy, sources)
  const masked = walkMaskedRequests(prepared, { kind: 'none' })
  masked.setWindow(policy)
  const placeholders: number[][] = []
  masked.walk((request) => {
    const sent = session.conversation.results.slice(0, request + 1)
    placeholders.push(sent.map((_, result) => Number(masked.isMasked(result))))
  })
  expect(placeholders).toEqual([[0], [1, 0], [0, 1, 0]])
  const terms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } as const }
  for (const point of pointsOf(sweepPrepared(prepared, terms))) {
    const { tokens, costs } = replayTotal(prepared, point, terms)
    expect(point.total).toEqual({ tokens, costs })
  }
})

describe('a point', () => {
  const { session, sources } = testSession(turnsOf(6))
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

describe('the grid of a sweep', () => {
  test('has every batch and window that can mask a result', () => {
    const { session, sources } = testSession(turnsOf(30))
    const prepared = prepareReplay(session, DEFAULT_POLICY, sources)
    const all = Array.from({ length: 29 }, (_, index) => index + 1)
    expect(sweepGrid([prepared])).toEqual({ batches: all, windows: all })
    const terms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } as const }
    expect(sweepPrepared(prepared, terms)).toMatchObject({ batches: all, windows: all })
    // The requests that are replayed for each batch.
    expect([...sweepInSteps(prepared, terms, { batches: [1, 28] })]).toEqual([29 * 30, 2 * 30])
    // A larger batch masks nothing under any window.
    const before = replayTotal(prepared, { windowTurns: 0, batchTurns: 1 }, terms)
    expect(replayTotal(prepared, { windowTurns: 1, batchTurns: 30 }, terms)).toEqual(before)
    expect(replayTotal(prepared, { windowTurns: 1, batchTurns: 29 }, terms)).not.toEqual(before)
  })

  test('has growing steps in very long sessions, first of batches, then of windows too', () => {
    const gridOf = (turns: number) => {
      const { session, sources } = testSession(turnsOf(turns))
      return sweepGrid([prepareReplay(session, DEFAULT_POLICY, sources)])
    }
    const long = gridOf(1500)
    expect(long.windows).toHaveLength(1499)
    const longer = gridOf(6000)
    for (const [steps, turns] of [
      [long.batches, 1500],
      [longer.batches, 6000],
      [longer.windows, 6000],
    ] as const) {
      const dense = steps.findIndex((step, at) => step !== at + 1)
      expect(dense).toBeGreaterThan(5)
      const growth = (turns / dense) ** (1 / (steps.length - dense))
      for (const [at, step] of steps.entries())
        expect(step).toBeLessThanOrEqual(Math.max(at + 1, (steps[at - 1] ?? 0) * growth + 1))
      expect(steps.at(-1)).toBeGreaterThan(turns / growth ** 2)
    }
    expect(longer.batches.length * longer.windows.length * 6000).toBeLessThan(1.2e8)
  })

  test('leaves out settings that were not swept, and adds those up that were', () => {
    const prepared = [20, 9].map((turns) => {
      const { session, sources } = testSession(turnsOf(turns))
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
})

describe('sumSweeps', () => {
  test('adds up sessions point by point; windows longer than a session mask nothing in it', () => {
    fc.assert(
      fc.property(
        fc.array(anyMessagesWithUniqueIds, { maxLength: 3 }),
        anySessionPolicy,
        anyRule,
        anyPrices,
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
      ),
      fuzz(30),
    )
  })
})

describe('recommend', () => {
  test('costs at most 1 % more than every point of the grid, and keeps most of those', () => {
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
          const swept = sweep(session, policy, sources, terms, { batches: BATCHES })
          const advice = recommend(swept, 0, { ...DEFAULT_ADVICE, smallestWindow })
          states.add(advice.state)
          if (advice.state !== 'mask' && advice.state !== 'do_not_mask') return
          if (advice.state === 'mask') expect(advice.cost).toBeLessThan(advice.costBefore)
          const chosen = advice.state === 'mask' ? advice.cost : advice.costBefore
          const costBefore = sessionCost(swept.before)
          const masking: { readonly cost: number; readonly tokens: number }[] = []
          for (
            let windowTurns = smallestWindow;
            windowTurns <= swept.largestWindow;
            windowTurns++
          ) {
            for (const batchTurns of BATCHES) {
              const own = { ...policy, enabled: true, windowTurns, batchTurns }
              const { after } = replay(session, own, sources, terms)
              const cost = sessionCost(after) as number
              expect(chosen).toBeLessThanOrEqual(cost * 1.01)
              if (cost !== costBefore || after.tokens !== swept.before.tokens)
                masking.push({ cost, tokens: after.tokens })
            }
          }
          if (advice.state !== 'mask') return
          const limit = Math.min(...masking.map(({ cost }) => cost)) * 1.01
          const equal = masking.filter(({ cost }) => cost <= limit)
          expect(advice.point.total.tokens).toBe(Math.max(...equal.map(({ tokens }) => tokens)))
        },
      ),
      { ...fuzz(250), seed: 1 },
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
