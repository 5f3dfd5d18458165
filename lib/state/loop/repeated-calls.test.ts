import { describe, expect, test } from 'vitest'
import { conversationOf } from '../document/selectors'
import { storedRecord } from '../sync-stored'
import { eventually, openedOnce } from '../testing/eventually'
import { findingsOf, loopMarksOf, sortedFindings } from './loop-findings'
import {
  DEFAULT_LOOP_SETTINGS,
  loopFieldOf,
  readLoopSettings,
  storedLoopSettings,
  withLoopField,
} from './loop-settings'
import { loopReportOf, loopSavingsOf } from './repeated-calls'

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

/** Two adjacent reads of one file, one far away, two in one batch. */
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

const opened = (text: string) => openedOnce(loopReportOf, text)
const openedTurns = (turns: readonly (readonly Call[])[]) =>
  opened(JSON.stringify({ messages: messagesOf(turns) }))
const open = () => openedTurns(TURNS)

describe('the conversation shown', () => {
  test('is inspected again when a guard or limit changes, and only the last answer counts', async () => {
    const { store, actions } = await open()
    expect(loopReportOf(store.getState())?.repeats.map(({ call }) => call)).toEqual([1, 3, 6])
    actions.setGuard('duplicate', false)
    actions.setLoopField('signatureTurns', 100)
    expect(loopReportOf(store.getState())).toBeUndefined()
    await eventually(() => expect(loopReportOf(store.getState())).toBeDefined())
    const stopped = [1, 6].map((call) => ({ call, guard: 'ANTI_LOOP_SIGNATURE' }))
    expect(loopReportOf(store.getState())?.stopped).toMatchObject(stopped)
    actions.resetLoop()
    expect(store.getState().loop.settings).toEqual(DEFAULT_LOOP_SETTINGS)
  })

  test('has its own report for each conversation', async () => {
    const lines = [TURNS, TURNS.slice(0, 1)].map((turns) => JSON.stringify(messagesOf(turns)))
    const { store, actions } = await opened(lines.join('\n'))
    expect(loopReportOf(store.getState())?.calls).toBe(7)
    actions.chooseConversation(1)
    await eventually(() => expect(loopReportOf(store.getState())?.calls).toBe(1))
    expect(findingsOf(store.getState())).toEqual([])
  })
})

describe('findings', () => {
  test('group related calls, with their occurrences and wasted tokens', async () => {
    const { store } = await open()
    const found = findingsOf(store.getState())
    const sizes = found?.map(({ kind, occurrences, stopped }) => [
      kind,
      occurrences.length,
      stopped,
    ])
    expect(sizes).toEqual([
      ['repeat', 3, 1],
      ['duplicate', 2, 1],
    ])
    const occurrences = found?.[0]?.occurrences.map(({ turn, turnsApart, isSameResult }) => {
      return [turn, turnsApart, isSameResult]
    })
    expect(occurrences).toEqual([
      [0, undefined, undefined],
      [1, 1, true],
      [5, 4, false],
    ])
  })

  test('of a call made twice in each of two batches are one repeat and two duplicates', async () => {
    const twice = (ids: readonly string[]) => ids.map((id) => [id, 'a', 'x'] as const)
    const { store } = await openedTurns([twice(['1', '2']), twice(['3', '4']), twice(['5'])])
    const found = findingsOf(store.getState()) ?? []
    expect(
      found.map(({ kind, occurrences }) => [kind, occurrences.map(({ turn }) => turn)]),
    ).toEqual([
      ['repeat', [0, 1, 2]],
      ['duplicate', [0, 0]],
      ['duplicate', [1, 1]],
    ])
  })

  test('are grouped by kind and sorted within a kind', async () => {
    const call = (id: string, path: string, result = 'x') => [[id, path, result] as const]
    const { store } = await openedTurns([
      call('1', 'a'),
      call('2', 'b', LONG),
      call('3', 'a'),
      call('4', 'b', LONG),
      call('5', 'c'),
      call('6', 'a'),
    ])
    const found = findingsOf(store.getState()) ?? []
    const turnsBy = (order: 'position' | 'times' | 'tokens') =>
      sortedFindings(found, 'repeat', order).map(({ occurrences }) => occurrences[0]?.turn)
    expect(turnsBy('position')).toEqual([0, 1])
    expect(turnsBy('times')).toEqual([0, 1])
    expect(turnsBy('tokens')).toEqual([1, 0])
    const kinds = sortedFindings(found, 'all', 'tokens').map(({ kind }) => kind)
    expect(kinds).toEqual(['repeat', 'repeat', 'cycle'])
  })

  test('mark their messages, and those with calls that a guard would have stopped', async () => {
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

test('savings count every later request, with the refusal in occurrence of the result', async () => {
  const { store, actions } = await open()
  await eventually(() => expect(loopSavingsOf(store.getState())).toBeDefined())
  const report = loopReportOf(store.getState())
  const savings = loopSavingsOf(store.getState())
  // Four later requests and the open one contain the second read of the file; four contain the duplicate.
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
  test('are limited to the bounds of their fields', () => {
    const low = withLoopField(DEFAULT_LOOP_SETTINGS, 'callsPerBatch', -4)
    expect(loopFieldOf(low, 'callsPerBatch')).toBe(1)
    const high = withLoopField(DEFAULT_LOOP_SETTINGS, 'idWindow', 1e9)
    expect(high.limits.idWindow).toBe(86_400_000)
    const fewest = withLoopField(DEFAULT_LOOP_SETTINGS, 'fewestErrors', 0)
    expect(loopFieldOf(fewest, 'fewestErrors')).toBe(2)
  })

  test('are restored as stored; damaged ones get their defaults', () => {
    const read = (text: string | null) => readLoopSettings(storedRecord(text))
    const set = withLoopField(
      { ...DEFAULT_LOOP_SETTINGS, guards: { ...DEFAULT_LOOP_SETTINGS.guards, duplicate: false } },
      'signatureWindow',
      45,
    )
    expect(read(storedLoopSettings(set))).toEqual(set)
    for (const damaged of [null, '', '{', '[]', 'null', '7', '{"guards":3,"fields":"x"}'])
      expect(read(damaged)).toEqual(DEFAULT_LOOP_SETTINGS)
    expect(
      read('{"guards":{"duplicate":"no"},"fields":{"idWindow":"9","callsPerBatch":3}}'),
    ).toEqual(withLoopField(DEFAULT_LOOP_SETTINGS, 'callsPerBatch', 3))
  })
})
