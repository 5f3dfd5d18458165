import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { LOOP_TEXTS } from './loop-texts'
import {
  createCallCheck,
  createVirtualClock,
  type ExecuteCall,
  isBatchDone,
  runBatch,
  startBatch,
  stepBatch,
  type VirtualClock,
} from './run-batch'
import { runMetrics, writeTrace } from './run-metrics'
import { call, run } from './testing/run-calls'
import { DEFAULT_LIMITS, EMPTY_LOOP } from './tool-call-manager'

/** A tool that answers after a delay in milliseconds. */
function answerAfter(clock: VirtualClock, milliseconds: number, value: unknown): ExecuteCall {
  return () => new Promise((resolve) => clock.after(milliseconds, () => resolve(value)))
}

describe('results', () => {
  test('are strings unchanged, other values as JSON, nothing as an empty string', async () => {
    const values: Record<string, unknown> = { a: 'plain', b: { rows: [1] }, c: undefined }
    const { results } = await run(
      [call('a'), call('b'), call('c')],
      () =>
        async ({ id }) =>
          values[id],
    )
    expect(results).toEqual([
      { tool_call_id: 'a', name: 'tool a', content: 'plain', success: true },
      { tool_call_id: 'b', name: 'tool b', content: '{"rows":[1]}', success: true },
      { tool_call_id: 'c', name: 'tool c', content: '', success: true },
    ])
  })

  test.each<[string, ExecuteCall, string]>([
    ['rejects', () => Promise.reject(new Error('no such table')), 'no such table'],
    [
      'throws',
      () => {
        throw new TypeError('not a function')
      },
      'not a function',
    ],
    ['throws no error object', () => Promise.reject('disk full'), 'disk full'],
    ['gives what is no JSON', async () => 1n, 'Do not know how to serialize a BigInt'],
  ])('of a tool that %s are failures with a code', async (_, execute, error) => {
    const { results, events } = await run([call('a')], () => execute)
    const [result] = results
    expect(result?.success).toBe(false)
    expect(JSON.parse(result?.content ?? '')).toEqual({
      success: false,
      error: expect.stringContaining(error),
      code: 'TOOL_MANAGER_ERROR',
    })
    const isRetried = error !== 'Do not know how to serialize a BigInt'
    const retries = Array.from({ length: isRetried ? DEFAULT_LIMITS.retries : 0 }, () => 'retried')
    expect(events.map(({ kind }) => kind)).toEqual(['started', ...retries, 'failed'])
  })

  test('of a tool that fails once is what its second attempt gives', async () => {
    let attempts = 0
    const { results, events } = await run([call('a')], () => async () => {
      attempts++
      if (attempts === 1) throw new Error('busy')
      return 'done'
    })
    expect(results).toMatchObject([{ content: 'done', success: true }])
    expect(events.map(({ kind, code }) => [kind, code])).toEqual([
      ['started', undefined],
      ['retried', 'TOOL_MANAGER_ERROR'],
      ['finished', undefined],
    ])
  })

  test('of a tool that fails slowly are a timeout, because attempts share it', async () => {
    const { results, events } = await run(
      [call('a')],
      (clock) => () =>
        new Promise((_, reject) => clock.after(6_000, () => reject(new Error('busy')))),
    )
    expect(JSON.parse(results[0]?.content ?? '')).toMatchObject({ code: 'TIMEOUT' })
    expect(runMetrics(events).all).toEqual({
      calls: 1,
      succeeded: 0,
      failed: 1,
      stopped: 0,
      retries: 2,
      successRate: 0,
      averageTime: 15_000,
    })
    expect(events.map(({ kind, at }) => [kind, at])).toEqual([
      ['started', 0],
      ['retried', 6_000],
      ['retried', 12_000],
      ['failed', 15_000],
    ])
  })

  test('of calls over the session limit are refusals', async () => {
    const limits = { ...DEFAULT_LIMITS, callsPerSession: 1 }
    const batch = { id: '1', calls: [call('a'), call('b')] }
    const clock = createVirtualClock()
    const { results } = await runBatch(EMPTY_LOOP, batch, async () => 'ok', clock, limits)
    expect(results.map(({ content }) => content)).toEqual([
      'ok',
      '{"success":false,"error":"The session has reached its limit of calls, 1.","code":"SESSION_LIMIT"}',
    ])
  })

  test('of arguments that do not match the schema are refusals, in the chosen language', async () => {
    const schemas = new Map([['tool a', { type: 'object', required: ['path'] }]])
    const check = createCallCheck(schemas)
    const executed: string[] = []
    const execute: ExecuteCall = async ({ id }) => executed.push(id)
    const clock = createVirtualClock()
    const broken = { ...call('c'), name: 'tool a', arguments: 'no JSON' }
    const mended = { ...call('d'), name: 'tool a', arguments: "{'path': 1" }
    const batch = { id: '1', calls: [call('a'), call('b'), broken, mended] }
    let progress = startBatch(EMPTY_LOOP, batch, DEFAULT_LIMITS, LOOP_TEXTS.fr)
    while (!isBatchDone(progress)) {
      progress = await stepBatch(progress, execute, clock, undefined, check)
    }
    expect(executed).toEqual(['b', 'd'])
    expect(progress.results.map(({ content }) => JSON.parse(content))).toEqual([
      {
        success: false,
        error: expect.stringMatching(/^Les arguments ne respectent pas .*path/),
        code: 'INVALID_ARGUMENTS',
      },
      1,
      {
        success: false,
        error: 'Les arguments ne sont pas un objet JSON.',
        code: 'INVALID_ARGUMENTS',
      },
      2,
    ])
    expect(progress.state.started).toBe(2)
    // A tool of which no call ran has no rate and no time.
    const refused = progress.events.filter(({ callId }) => callId === 'a')
    expect(runMetrics(refused).all).toMatchObject({
      stopped: 1,
      successRate: undefined,
      averageTime: undefined,
    })
  })
})

describe('time', () => {
  test.each([
    [14_999, true, undefined],
    [15_000, false, 'TIMEOUT'],
  ])('a tool that takes %i ms succeeds: %s', async (milliseconds, isDone, code) => {
    const { results, events } = await run([call('a')], (clock) =>
      answerAfter(clock, milliseconds, 'done'),
    )
    expect(results[0]?.success).toBe(isDone)
    expect(events.at(-1)?.code).toBe(code)
    expect(events.at(-1)?.duration).toBe(Math.min(milliseconds, 15_000))
  })

  test('a tool that answers too late sees isOver, and its answer is ignored', async () => {
    let wasOver: boolean | undefined
    const { results } = await run([call('a'), call('b')], (clock) => (_, isOver) => {
      return new Promise((resolve) =>
        clock.after(20_000, () => {
          wasOver = isOver()
          resolve('late')
        }),
      )
    })
    expect(wasOver).toBe(true)
    expect(results.map(({ content }) => JSON.parse(content).code)).toEqual(['TIMEOUT', 'TIMEOUT'])
  })

  test('calls run one after another', async () => {
    const { events } = await run([call('a'), call('b')], (clock) => answerAfter(clock, 1500, 'ok'))
    expect(events.map(({ callId, kind, at }) => [callId, kind, at])).toEqual([
      ['a', 'started', 0],
      ['a', 'finished', 1500],
      ['b', 'started', 1500],
      ['b', 'finished', 3000],
    ])
    expect(writeTrace(events)).toBe(
      [
        '    0.000 s  batch 1  tool a a  started',
        '    1.500 s  batch 1  tool a a  finished  after 1.500 s',
        '    1.500 s  batch 1  tool b b  started',
        '    3.000 s  batch 1  tool b b  finished  after 1.500 s',
        '',
      ].join('\n'),
    )
  })
})

test('stepping through a batch gives the same as running it', async () => {
  const calls = [call('a', 'x'), call('b', 'x'), call('a', 'y'), call('c'), call('d')]
  const limits = { ...DEFAULT_LIMITS, callsPerBatch: 4 }
  const batch = { id: '1', calls }
  const complete = await runBatch(EMPTY_LOOP, batch, async () => 'ok', createVirtualClock(), limits)
  let progress = startBatch(EMPTY_LOOP, batch, limits)
  const lengths: number[] = []
  while (!isBatchDone(progress)) {
    progress = await stepBatch(progress, async () => 'ok', createVirtualClock())
    lengths.push(progress.results.length)
  }
  expect(lengths).toEqual([1, 2, 3, 4, 5])
  expect(progress).toMatchObject(complete)
  expect(await stepBatch(progress, async () => 'more', createVirtualClock())).toBe(progress)
})

test('every call has exactly one result, in order, for any tools', async () => {
  const behaviour = fc.constantFrom<ExecuteCall>(
    async () => 'ok',
    async () => ({ a: 1 }),
    () => Promise.reject('no'),
    () => new Promise(() => {}),
  )
  const anyCall = fc.record({
    call: fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y'))
      .map(([id, own]) => call(id, own)),
    execute: behaviour,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { maxLength: 14 }), async (sequence) => {
      let next = 0
      const { results, events } = await run(
        sequence.map((one) => one.call),
        () => (pending, isOver) => {
          const at = sequence.findIndex((one, index) => index >= next && one.call === pending)
          next = at + 1
          return (sequence[at] as (typeof sequence)[number]).execute(pending, isOver)
        },
      )
      expect(results.map(({ tool_call_id: id }) => id)).toEqual(sequence.map((one) => one.call.id))
      const started = events.filter(({ kind }) => kind === 'started')
      expect(new Set(started.map(({ callId }) => callId)).size).toBe(started.length)
    }),
    fuzz(60),
  )
})
