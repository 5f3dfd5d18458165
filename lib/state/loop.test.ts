import { describe, expect, test, vi } from 'vitest'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { spawnInline } from '@/lib/worker/testing/inline-worker'
import { loopReportOf } from './loop'
import { findingsOf, loopMarksOf, sortedFindings } from './loop-findings'
import { loopSavingsOf } from './loop-savings'
import {
  DEFAULT_LOOP_SETTINGS,
  followLoopSettings,
  keptLoopSettings,
  loopFieldOf,
  readLoopSettings,
  withLoopField,
} from './loop-settings'
import { createPlayground } from './playground'
import { conversationOf } from './selectors'

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 })

type Call = readonly [id: string, path: string, result: string]

function messagesOf(turns: readonly (readonly Call[])[]): object[] {
  return turns.flatMap((calls) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: calls.map(([id, path]) => ({
        id,
        type: 'function',
        function: { name: 'read', arguments: JSON.stringify({ path }) },
      })),
    },
    ...calls.map(([id, , content]) => ({ role: 'tool', tool_call_id: id, content })),
  ])
}

const LONG = 'a line of text in a file\n'.repeat(100)

/** Two reads of one file next to each other, one far away, two in one batch. */
const TURNS: readonly (readonly Call[])[] = [
  [['1', 'a', LONG]],
  [['2', 'a', LONG]],
  [
    ['3', 'b', 'x'],
    ['4', 'b', 'x'],
  ],
  [['5', 'c', 'x']],
  [['6', 'd', 'x']],
  [['7', 'a', 'other']],
]

async function opened(text: string) {
  const playground = createPlayground(spawnInline, loadPriceBook)
  playground.actions.openText(text, 'run.json', { kind: 'file' })
  await eventually(() => expect(loopReportOf(playground.store.getState())).toBeDefined())
  return playground
}

const open = () => opened(JSON.stringify({ messages: messagesOf(TURNS) }))

describe('the conversation shown', () => {
  test('is inspected once it is counted', async () => {
    const { store } = await open()
    const report = loopReportOf(store.getState())
    expect(report?.stopped.map(({ call, guard }) => [call, guard])).toEqual([
      [1, 'ANTI_LOOP_SIGNATURE'],
      [3, 'duplicate'],
    ])
    expect(report?.repeats.map(({ call }) => call)).toEqual([1, 3, 6])
  })

  test('is inspected anew when a guard is switched or a limit set, and only the last answer counts', async () => {
    const { store, actions } = await open()
    actions.setGuard('duplicate', false)
    actions.setLoopField('signatureTurns', 100)
    expect(loopReportOf(store.getState())).toBeUndefined()
    await eventually(() => expect(loopReportOf(store.getState())).toBeDefined())
    expect(loopReportOf(store.getState())?.stopped.map(({ call, guard }) => [call, guard])).toEqual(
      [
        [1, 'ANTI_LOOP_SIGNATURE'],
        [6, 'ANTI_LOOP_SIGNATURE'],
      ],
    )
    actions.resetLoop()
    expect(store.getState().loop.settings).toEqual(DEFAULT_LOOP_SETTINGS)
  })

  test('is another one when another is chosen', async () => {
    const lines = [TURNS, TURNS.slice(0, 1)].map((turns) => JSON.stringify(messagesOf(turns)))
    const { store, actions } = await opened(lines.join('\n'))
    expect(loopReportOf(store.getState())?.calls).toBe(7)
    actions.chooseConversation(1)
    await eventually(() => expect(loopReportOf(store.getState())?.calls).toBe(1))
    expect(findingsOf(store.getState())).toEqual([])
  })
})

describe('findings', () => {
  test('are one for all that belongs together, with their places and what they waste', async () => {
    const { store } = await open()
    const found = findingsOf(store.getState())
    expect(found?.map(({ kind, places, stopped }) => [kind, places.length, stopped])).toEqual([
      ['repeat', 3, 1],
      ['duplicate', 2, 1],
    ])
    expect(
      found?.[0]?.places.map(({ turn, turnsApart, isSameResult }) => {
        return { turn, turnsApart, isSameResult }
      }),
    ).toEqual([
      { turn: 0, turnsApart: undefined, isSameResult: undefined },
      { turn: 1, turnsApart: 1, isSameResult: true },
      { turn: 5, turnsApart: 4, isSameResult: false },
    ])
  })

  test('of a call made twice in each of two batches are one repeat and two duplicates', async () => {
    const twice = (ids: readonly string[]) => ids.map((id) => [id, 'a', 'x'] as const)
    const messages = messagesOf([twice(['1', '2']), twice(['3', '4']), twice(['5'])])
    const { store } = await opened(JSON.stringify({ messages }))
    const found = findingsOf(store.getState()) ?? []
    expect(found.map(({ kind, places }) => [kind, places.map(({ turn }) => turn)])).toEqual([
      ['repeat', [0, 1, 2]],
      ['duplicate', [0, 0]],
      ['duplicate', [1, 1]],
    ])
  })

  test('are shown by kind, and within a kind sorted by what is asked', async () => {
    const call = (id: string, path: string, result = 'x') => [[id, path, result] as const]
    const messages = messagesOf([
      call('1', 'a'),
      call('2', 'b', LONG),
      call('3', 'a'),
      call('4', 'b', LONG),
      call('5', 'c'),
      call('6', 'a'),
    ])
    const { store } = await opened(JSON.stringify({ messages }))
    const found = findingsOf(store.getState()) ?? []
    const turnsBy = (order: 'place' | 'times' | 'tokens') =>
      sortedFindings(found, 'repeat', order).map(({ places }) => places[0]?.turn)
    expect(turnsBy('place')).toEqual([0, 1])
    expect(turnsBy('times')).toEqual([0, 1])
    expect(turnsBy('tokens')).toEqual([1, 0])
    expect(sortedFindings(found, 'all', 'tokens').map(({ kind }) => kind)).toEqual([
      'repeat',
      'repeat',
      'cycle',
    ])
  })

  test('mark the messages they are in, and what a guard would have stopped', async () => {
    const { store } = await open()
    const conversation = conversationOf(store.getState())
    const messageOf = (call: number) => conversation?.calls[call]?.message
    expect([...(loopMarksOf(store.getState()) ?? [])].sort(([a], [b]) => a - b)).toEqual([
      [messageOf(1), true],
      [messageOf(3), true],
      [messageOf(6), false],
    ])
  })
})

test('what would have been saved counts every later request, with the refusal in the place of the result', async () => {
  const { store, actions } = await open()
  await eventually(() => expect(loopSavingsOf(store.getState())).toBeDefined())
  const report = loopReportOf(store.getState())
  const savings = loopSavingsOf(store.getState())
  // The second read of the file stands before four later answers and the open request; the duplicate before four of them.
  const sent = (call: number) => (call === 1 ? 5 : 4)
  const expected = report?.stopped.reduce(
    (sum, { call, tokens, refusalTokens }) => sum + sent(call) * (tokens - refusalTokens),
    0,
  )
  expect((savings?.was.before.tokens ?? 0) - (savings?.guarded.before.tokens ?? 0)).toBe(expected)
  expect(expected).toBeGreaterThan(0)
  actions.setGuard('ANTI_LOOP_SIGNATURE', false)
  actions.setGuard('duplicate', false)
  await eventually(() => expect(loopReportOf(store.getState())?.stopped).toEqual([]))
  const none = loopSavingsOf(store.getState())
  expect(none?.guarded.before).toEqual(none?.was.before)
  expect(none?.guarded.after).toEqual(none?.was.after)
})

describe('settings', () => {
  test('are held within the bounds of their fields', () => {
    const low = withLoopField(DEFAULT_LOOP_SETTINGS, 'callsPerBatch', -4)
    expect(loopFieldOf(low, 'callsPerBatch')).toBe(1)
    const high = withLoopField(DEFAULT_LOOP_SETTINGS, 'idWindow', 1e9)
    expect(high.limits.idWindow).toBe(86_400_000)
    expect(
      loopFieldOf(withLoopField(DEFAULT_LOOP_SETTINGS, 'fewestErrors', 0), 'fewestErrors'),
    ).toBe(2)
  })

  test('come back as they were kept; what is damaged is as by default', () => {
    const set = withLoopField(
      { ...DEFAULT_LOOP_SETTINGS, guards: { ...DEFAULT_LOOP_SETTINGS.guards, duplicate: false } },
      'signatureWindow',
      45,
    )
    expect(readLoopSettings(keptLoopSettings(set))).toEqual(set)
    for (const damaged of [null, '', '{', '[]', 'null', '7', '{"guards":3,"fields":"x"}'])
      expect(readLoopSettings(damaged)).toEqual(DEFAULT_LOOP_SETTINGS)
    expect(
      readLoopSettings('{"guards":{"duplicate":"no"},"fields":{"idWindow":"9","callsPerBatch":3}}'),
    ).toEqual(withLoopField(DEFAULT_LOOP_SETTINGS, 'callsPerBatch', 3))
  })

  test('are kept in the browser, and last as long as the page where it refuses', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    }
    const first = createPlayground(spawnInline)
    followLoopSettings(first.store, () => storage)
    first.actions.setGuard('batch_limit', false)
    first.actions.setLoopField('historyEntries', 50)
    const second = createPlayground(spawnInline)
    followLoopSettings(second.store, () => storage)
    expect(second.store.getState().loop.settings).toEqual(first.store.getState().loop.settings)
    const third = createPlayground(spawnInline)
    followLoopSettings(third.store, () => {
      throw new Error('refused')
    })
    third.actions.setGuard('duplicate', false)
    expect(third.store.getState().loop.settings.guards.duplicate).toBe(false)
  })
})
