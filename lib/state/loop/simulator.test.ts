import { describe, expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { createSimulator, type RunCall } from './simulator'
import {
  conversationOfRun,
  decisionRows,
  historyOf,
  isSameBatch,
  refusedFor,
  withAnother,
} from './simulator-rows'

const call = (id: string, name = 'read', written = '{"path":"a"}'): RunCall => {
  return { id, name, arguments: written }
}

const BEGUN_AT = 1_760_000_000_000
const SCHEMAS = new Map()

function runner(...calls: RunCall[]) {
  const tool = createSimulator(() => BEGUN_AT)
  const state = tool.store.getState
  const told = () =>
    state().batches.flatMap(({ events }) =>
      events.map(({ callId, kind, code = 'ok' }) => `${callId} ${kind} ${code}`),
    )
  const step = () => tool.run(calls, SCHEMAS, false)
  const runBatch = (own = calls) => tool.run(own, SCHEMAS, true)
  return { ...tool, state, told, step, runBatch }
}

describe('a batch', () => {
  test('is processed call by call, with the outcome of each', async () => {
    const again = call('b', 'read', '{ "path": "a" }')
    const { step, told, state } = runner(call('a'), again, call('c', 'write'))
    await step()
    expect(told()).toEqual(['a started ok', 'a finished ok'])
    expect(historyOf(state()).map(({ callId }) => callId)).toEqual(['a'])
    await step()
    expect(told().slice(2)).toEqual(['b duplicate DUPLICATE_IN_BATCH'])
    await step()
    expect(state().batches[0]?.results.map(({ success }) => success)).toEqual([true, false, true])
    await step()
    const id = state().id.slice(0, 8)
    expect(state().batches.map(({ batch }) => batch.id)).toEqual([`batch-${id}-1`, `batch-${id}-2`])
    expect(told().at(-1)).toEqual('a refused ANTI_LOOP_ID')
  })

  test('asks the guards at the time of the clock', async () => {
    const { runBatch, advance, told, state } = runner(call('a'))
    await runBatch()
    advance(29_999)
    await runBatch([call('b')])
    expect(told().at(-1)).toEqual('b refused ANTI_LOOP_SIGNATURE')
    advance(1)
    await runBatch([call('b')])
    expect(told().at(-1)).toEqual('b finished ok')
    expect(state().now).toBe(30_000)
  })

  test('moves the clock by delays, up to the time-out that all attempts share', async () => {
    const names = ['slow', 'broken', 'once', 'tired', 'late', 'silent']
    const { runBatch, changeStub, told, state } = runner(...names.map((name) => call(name, name)))
    changeStub('slow', { delay: 5000, text: 'late' })
    changeStub('broken', { kind: 'fail', text: 'no such table' })
    changeStub('once', { kind: 'fail_once', delay: 1000 })
    changeStub('tired', { kind: 'fail', delay: 4000 })
    changeStub('late', { delay: 15_000 })
    changeStub('silent', { kind: 'never' })
    await runBatch()
    expect(told().filter((one) => !one.includes('started'))).toEqual([
      'slow finished ok',
      ...Array(3).fill('broken retried TOOL_MANAGER_ERROR'),
      'broken failed TOOL_MANAGER_ERROR',
      'once retried TOOL_MANAGER_ERROR',
      'once finished ok',
      ...Array(3).fill('tired retried TOOL_MANAGER_ERROR'),
      'tired failed TIMEOUT',
      'late failed TIMEOUT',
      'silent failed TIMEOUT',
    ])
    const times = decisionRows(state().batches).map(({ duration }) => duration)
    expect(times).toEqual([5000, 0, 2000, 15_000, 15_000, 15_000])
    expect(state().now).toBe(52_000)
  })

  test('is forgotten by a reset, which keeps what the user set', async () => {
    const { runBatch, changeStub, reset, state } = runner(call('a'))
    changeStub('read', { delay: 1000 })
    await runBatch()
    const { id, stubs } = state()
    reset()
    expect(state()).toMatchObject({ batches: [], now: 0, begunAt: undefined, stubs })
    expect(state().id).not.toBe(id)
  })

  test('states how long each call that ran is refused, while the guards remember it', async () => {
    const { runBatch, advance, changeLimits, state } = runner(call('a'), call('a'))
    const left = () => decisionRows(state().batches).map((row) => refusedFor(row, state()))
    await runBatch()
    advance(31_000)
    expect(left()).toEqual([{ id: 269_000, call: 0 }, undefined])
    changeLimits({ historyEntries: 1 })
    await runBatch([call('b', 'write')])
    expect(left()[0]).toEqual({ id: 0, call: 0 })
  })
})

test('a list is known as that of a turn, and grows by copies with ids of their own', () => {
  const turn = [call('a'), call('call_1')]
  expect(isSameBatch(turn, [call('a'), call('call_1')])).toBe(true)
  const others = [[call('a')], [call('a'), call('call_1', 'write')]]
  expect(others.map((calls) => isSameBatch(turn, calls))).toEqual([false, false])
  expect(withAnother(turn).at(-1)).toEqual(call('call_2'))
  expect(withAnother([])).toEqual([call('call_1', 'tool', '{}')])
})

describe('a run', () => {
  test('is saved as turns with their results and times', async () => {
    const { runBatch, changeStub, state } = runner(call('a'), call('b', 'write', ''))
    changeStub('read', { delay: 2000, text: 'found' })
    await runBatch()
    const { messages } = JSON.parse(conversationOfRun(state()))
    const at = new Date(BEGUN_AT).toISOString()
    const later = new Date(BEGUN_AT + 2000).toISOString()
    const calls = [
      { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      { id: 'b', type: 'function', function: { name: 'write', arguments: '{}' } },
    ]
    expect(messages).toEqual([
      { role: 'assistant', content: null, tool_calls: calls, timestamp: at },
      { role: 'tool', content: 'found', tool_call_id: 'a', name: 'read', timestamp: later },
      { role: 'tool', content: '{"ok": true}', tool_call_id: 'b', name: 'write', timestamp: later },
    ])
    const [conversation] = readDocument(conversationOfRun(state())).conversations
    expect(conversation?.turnCount).toBe(1)
  })
})
