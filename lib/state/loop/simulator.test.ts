import { describe, expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { writeTrace } from '@/lib/core/loop/run-metrics'
import { createSimulator } from './simulator'
import { conversationOfRun, resultsOfRun } from './simulator-rows'
import { isSameBatch } from './simulator-state'

const call = (id: string, name = 'read', written = '{"path":"a"}') => {
  return { id, name, arguments: written, recorded: undefined }
}

/** A simulator whose clock is set by hand and whose real time does not move. */
function runner(...calls: ReturnType<typeof call>[]) {
  const tool = createSimulator(() => 1_760_000_000_000)
  tool.setClockReal(false)
  tool.takeCalls(calls)
  const state = tool.store.getState
  const told = () =>
    state().events.map(({ callId, kind, code = 'ok' }) => `${callId} ${kind} ${code}`)
  return { ...tool, state, told }
}

describe('a batch', () => {
  test('is processed call by call, with the outcome of each', async () => {
    const again = call('b', 'read', '{ "path": "a" }')
    const { step, told, state } = runner(call('a'), again, call('c', 'write'))
    await step()
    expect(told()).toEqual(['a started ok', 'a finished ok'])
    expect(state().history.history.map(({ callId }) => callId)).toEqual(['a'])
    await step()
    expect(told().slice(2)).toEqual(['b duplicate DUPLICATE_IN_BATCH'])
    await step()
    expect(state().batches[0]?.results.map(({ success }) => success)).toEqual([true, false, true])
    await step()
    const id = state().id.slice(0, 8)
    expect(state().batches.map(({ batch }) => batch.id)).toEqual([`batch-${id}-1`, `batch-${id}-2`])
    expect(told().at(-1)).toEqual('a refused ANTI_LOOP_ID')
  })

  test('asks the guards at the time of a clock set by hand', async () => {
    const { runBatch, advance, told, changeCall, state } = runner(call('a'))
    await runBatch()
    for (const [change, milliseconds, guard] of [
      [{ id: 'b' }, 30_000, 'ANTI_LOOP_SIGNATURE'],
      [{ arguments: '{}' }, 300_000, 'ANTI_LOOP_ID'],
    ] as const) {
      changeCall(state().calls[0]?.key as number, change)
      await advance(milliseconds - 1)
      await runBatch()
      expect(told().at(-1)).toEqual(`b refused ${guard}`)
      await advance(1)
      await runBatch()
      expect(told().at(-1)).toEqual('b finished ok')
    }
    expect(state().now).toBe(330_000)
  })

  test('waits for slow tools, and times out those that never answer', async () => {
    const calls = [call('a', 'slow'), call('b', 'broken'), call('c', 'silent')]
    const { runBatch, changeStub, advance, told, state } = runner(...calls)
    changeStub('slow', { delay: 5000, text: 'late' })
    changeStub('broken', { kind: 'fail', text: 'no such table' })
    changeStub('silent', { kind: 'never' })
    const running = runBatch()
    await advance(4999)
    expect(state()).toMatchObject({ running: { call: { id: 'a' } }, isRunningAll: true })
    await advance(1)
    expect(state().running?.call.id).toBe('c')
    await advance(15_000)
    await running
    expect(told().filter((one) => !one.includes('started'))).toEqual([
      'a finished ok',
      ...Array(3).fill('b retried TOOL_MANAGER_ERROR'),
      'b failed TOOL_MANAGER_ERROR',
      'c failed TIMEOUT',
    ])
    expect(state().isRunningAll).toBe(false)
    expect(writeTrace(state().events)).toContain('silent c  failed  TIMEOUT  after 15.000 s')
  })

  test('starts once, however often it is requested', async () => {
    const { step, runBatch, state } = runner(call('a'), call('b', 'write'))
    await Promise.all([step(), step(), runBatch()])
    expect(state().batches[0]?.results).toHaveLength(1)
    await Promise.all([runBatch(), step()])
    expect(state().batches).toMatchObject([{ results: { length: 2 } }])
  })

  test('that is reset while running is discarded', async () => {
    const { runBatch, changeStub, advance, reset, state } = runner(call('a'), call('b', 'write'))
    changeStub('read', { delay: 1000 })
    const running = runBatch()
    await advance(500)
    reset()
    expect(state()).toMatchObject({ events: [], batches: [], now: 0, running: undefined })
    changeStub('read', { delay: 0 })
    await runBatch()
    await Promise.race([running, advance(5000)])
    expect(state()).toMatchObject({ batches: { length: 1 }, events: { length: 4 } })
  })

  test('runs in real time unless the clock is moved by hand', async () => {
    const tool = createSimulator()
    tool.takeCalls([call('a')])
    tool.changeStub('read', { delay: 150 })
    const stop = tool.watch()
    await tool.runBatch()
    stop()
    const { events, now } = tool.store.getState()
    expect(events.at(-1)).toMatchObject({ kind: 'finished', duration: 150 })
    expect(now).toBeGreaterThanOrEqual(150)
  })

  test('shows no time before it starts', async () => {
    let now = 1_760_000_000_000
    const tool = createSimulator(() => now)
    tool.takeCalls([call('a')])
    now += 2_500
    const stop = tool.watch()
    await new Promise((resolve) => setTimeout(resolve, 5))
    stop()
    expect(tool.store.getState().now).toBe(0)
  })
})

describe('the list of calls', () => {
  test('follows the conversation until it is changed by hand or run', async () => {
    const { step, offerCalls, takeCalls, state, ...list } = runner(call('a'))
    const ids = () => state().calls.map(({ id }) => id)
    offerCalls([call('b')])
    expect(ids()).toEqual(['b'])
    list.duplicateCall(state().calls[0]?.key as number)
    expect(state().calls.map(({ name }) => name)).toEqual(['read', 'read'])
    expect(ids()).toEqual(['b', 'call_1'])
    list.addCall()
    expect(ids()).toEqual(['b', 'call_1', 'call_2'])
    offerCalls([call('c')])
    list.removeCall(state().calls[0]?.key as number)
    expect(ids()).toEqual(['call_1', 'call_2'])
    takeCalls([call('c')])
    expect(ids()).toEqual(['c'])
    await step()
    offerCalls([call('d')])
    expect(ids()).toEqual(['c'])
    expect(new Set(state().calls.map(({ key }) => key)).size).toBe(1)
  })

  test('is distinguished from the calls of another turn, and replaced by them after a reset', async () => {
    const { step, reset, offerCalls, state } = runner(call('a'), call('b'))
    const others = [[call('a'), call('b')], [call('a')], [call('a'), call('b', 'write')]]
    const same = others.map((calls) => isSameBatch(state().calls, calls))
    expect(same).toEqual([true, false, false])
    await step()
    reset()
    offerCalls([])
    expect(state().calls).toEqual([])
  })
})

describe('a run', () => {
  test('is saved as turns with their results and times', async () => {
    const { runBatch, advance, changeStub, state } = runner(call('a'), call('b', 'write', ''))
    changeStub('read', { delay: 2000, text: 'found' })
    const running = runBatch()
    await advance(2000)
    await running
    const { messages } = JSON.parse(conversationOfRun(state()))
    const at = new Date(1_760_000_000_000).toISOString()
    const later = new Date(1_760_000_002_000).toISOString()
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

  test('gives the newest answer of each call that was run, not the refusals after it', async () => {
    const { runBatch, changeStub, state } = runner(call('a'), call('b', 'read'))
    changeStub('read', { kind: 'fail', text: 'gone' })
    await runBatch()
    await runBatch()
    const codes = resultsOfRun(state().batches).map(({ content }) => JSON.parse(content).code)
    expect(codes).toEqual(['TOOL_MANAGER_ERROR', 'DUPLICATE_IN_BATCH'])
  })
})
