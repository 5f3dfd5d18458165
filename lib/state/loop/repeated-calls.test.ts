import { describe, expect, test } from 'vitest'
import { storedRecord } from '../sync-stored'
import { eventually, openedOnce } from '../testing/eventually'
import { loopReportOf } from './found-repeats'
import {
  DEFAULT_LOOP_SETTINGS,
  type LoopField,
  loopFieldOf,
  readLoopSettings,
  storedLoopSettings,
  withLoopField,
} from './loop-settings'
import { loopSavingsOf } from './repeated-calls'

/** A call that reads a path, and its result if it matters. */
type Call = string | readonly [path: string, result: string]

function messagesOf(turns: readonly (readonly Call[])[]): object[] {
  return turns.flatMap((turn, number) => {
    const calls = turn.map((call, at) => {
      const [path, content] = typeof call === 'string' ? [call, 'x'] : call
      return { id: `${number}_${at}`, args: JSON.stringify({ path }), content }
    })
    const made = calls.map(({ id, args }) => {
      return { id, type: 'function', function: { name: 'read', arguments: args } }
    })
    const results = calls.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }))
    return [{ role: 'assistant', content: null, tool_calls: made }, ...results]
  })
}

const LONG = 'a line of text in a file\n'.repeat(100)

/** Two adjacent reads of one file, one far away, two in one batch. */
const TURNS: readonly (readonly Call[])[] = [
  [['a', LONG]],
  [['a', LONG]],
  ['b', 'b'],
  ['c'],
  ['d'],
  [['a', 'other']],
]

async function opened(text: string) {
  const playground = await openedOnce(loopReportOf, text)
  const get = playground.store.getState
  return {
    ...playground,
    get,
    report: () => loopReportOf(get()),
    findings: () => loopReportOf(get())?.findings,
  }
}
const open = (turns = TURNS) => opened(JSON.stringify({ messages: messagesOf(turns) }))

describe('the conversation shown', () => {
  test('is inspected again when a guard or limit changes, and only the last answer counts', async () => {
    const { get, actions, report } = await open()
    expect(report()?.findings.map(({ tokens }) => tokens > 0)).toEqual([true, true])
    actions.setGuard('duplicate', false)
    actions.setLoopField('signatureTurns', 100)
    expect(report()).toBeUndefined()
    await eventually(() => expect(report()).toBeDefined())
    const stopped = [1, 6].map((call) => ({ call, guard: 'ANTI_LOOP_SIGNATURE' }))
    expect(report()?.stopped).toMatchObject(stopped)
    actions.resetLoop()
    expect(get().loop.settings).toEqual(DEFAULT_LOOP_SETTINGS)
  })

  test('has its own report for each conversation', async () => {
    const lines = [TURNS, TURNS.slice(0, 1)].map((turns) => JSON.stringify(messagesOf(turns)))
    const { get, actions, report } = await opened(lines.join('\n'))
    expect(report()?.calls).toBe(7)
    actions.chooseConversation(1)
    await eventually(() => expect(report()?.calls).toBe(1))
    expect(loopReportOf(get())?.findings).toEqual([])
  })
})

describe('findings', () => {
  test('of a call made twice in each of two batches are one repeat and two duplicates', async () => {
    const { findings } = await open([['a', 'a'], ['a', 'a'], ['a']])
    const turns = findings()?.map(({ kind, occurrences }) => [
      kind,
      ...occurrences.map(({ turn }) => turn),
    ])
    expect(turns).toEqual([
      ['repeat', 0, 1, 2],
      ['duplicate', 0, 0],
      ['duplicate', 1, 1],
    ])
  })
})

test('savings count every later request, with the refusal in occurrence of the result', async () => {
  const { get, actions, report } = await open()
  await eventually(() => expect(loopSavingsOf(get())).toBeDefined())

  const savings = loopSavingsOf(get())
  // Four later requests and the open one contain the second read of the file; four contain the duplicate.
  const sent = (call: number) => (call === 1 ? 5 : 4)
  const expected = report()?.stopped.reduce(
    (sum, { call, tokens, refusalTokens }) => sum + sent(call) * (tokens - refusalTokens),
    0,
  )
  expect((savings?.was.before.tokens ?? 0) - (savings?.guarded.before.tokens ?? 0)).toBe(expected)
  expect(expected).toBeGreaterThan(0)
  actions.setGuard('ANTI_LOOP_SIGNATURE', false)
  actions.setGuard('duplicate', false)
  await eventually(() => expect(report()?.stopped).toEqual([]))
  const none = loopSavingsOf(get())
  expect(none?.guarded.before).toEqual(none?.was.before)
  expect(none?.guarded.after).toEqual(none?.was.after)
})

describe('settings', () => {
  test('are limited to the bounds of their fields', () => {
    const given = (field: LoopField, value: number) =>
      withLoopField(DEFAULT_LOOP_SETTINGS, field, value)
    expect(loopFieldOf(given('callsPerBatch', -4), 'callsPerBatch')).toBe(1)
    expect(given('idWindow', 1e9).limits.idWindow).toBe(86_400_000)
    expect(loopFieldOf(given('fewestErrors', 0), 'fewestErrors')).toBe(2)
  })

  test('are restored as stored; damaged ones get their defaults', () => {
    const read = (text: string | null) => readLoopSettings(storedRecord(text))
    const guards = { ...DEFAULT_LOOP_SETTINGS.guards, duplicate: false }
    const set = withLoopField({ ...DEFAULT_LOOP_SETTINGS, guards }, 'signatureWindow', 45)
    expect(read(storedLoopSettings(set))).toEqual(set)
    for (const damaged of [null, '', '{', '[]', 'null', '7', '{"guards":3,"fields":"x"}'])
      expect(read(damaged)).toEqual(DEFAULT_LOOP_SETTINGS)
    const mixed = '{"guards":{"duplicate":"no"},"fields":{"idWindow":"9","callsPerBatch":3}}'
    expect(read(mixed)).toEqual(withLoopField(DEFAULT_LOOP_SETTINGS, 'callsPerBatch', 3))
  })
})
