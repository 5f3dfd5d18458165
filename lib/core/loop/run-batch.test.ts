import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { createCallCheck } from './check-call'
import { DEFAULT_LIMITS } from './loop-limits'
import { LOOP_TEXTS } from './loop-texts'
import {
  type BatchRun,
  type ExecuteCall,
  isBatchDone,
  runBatch,
  startBatch,
  stepBatch,
} from './run-batch'
import { runMetrics } from './run-metrics'
import { EMPTY_LOOP, type LoopState, type PendingCall } from './tool-call-manager'
import { createVirtualClock, type VirtualClock } from './virtual-clock'
import { writeTrace } from './write-trace'

function call(id: string, signature = id): PendingCall {
  return { id, name: `tool ${id}`, arguments: '{}', signature }
}

/** A tool that answers after a delay in milliseconds. */
function answerAfter(clock: VirtualClock, milliseconds: number, value: unknown): ExecuteCall {
  return () => new Promise((resolve) => clock.after(milliseconds, () => resolve(value)))
}

async function run(
  calls: readonly PendingCall[],
  execute: (clock: VirtualClock) => ExecuteCall,
  wait = 200_000,
  state: LoopState = EMPTY_LOOP,
): Promise<BatchRun> {
  const clock = createVirtualClock()
  const running = runBatch(state, { id: 'batch 1', calls }, execute(clock), clock, DEFAULT_LIMITS)
  await clock.advance(wait)
  return running
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

describe('guards', () => {
  test('every call has a result, and the trace has the reason if it was not run', async () => {
    const calls = [
      call('a', 'x'),
      call('b', 'x'),
      call('a', 'y'),
      ...Array.from({ length: 9 }, (_, at) => call(`c${at}`)),
    ]
    const { results, events } = await run(calls, () => async () => 'ok')
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(calls.map(({ id }) => id))
    const codes = events.flatMap(({ callId, code }) => (code === undefined ? [] : [[callId, code]]))
    expect(codes).toEqual([
      ['b', 'DUPLICATE_IN_BATCH'],
      ['a', 'ANTI_LOOP_ID'],
      ['c7', 'BATCH_LIMIT'],
      ['c8', 'BATCH_LIMIT'],
    ])
  })

  test('a call run in one batch is refused in the next', async () => {
    const { state } = await run([call('a', 'x')], () => async () => 'ok', 0)
    const clock = createVirtualClock()
    const next = runBatch(
      state,
      { id: 'batch 2', calls: [call('b', 'x')] },
      async () => 'ok',
      clock,
      DEFAULT_LIMITS,
    )
    await clock.advance(0)
    const { results } = await next
    expect(JSON.parse(results[0]?.content ?? '')).toMatchObject({ code: 'ANTI_LOOP_SIGNATURE' })
  })
})

describe('a call run at 0 and repeated in a later batch', () => {
  const again = async (id: string, signature: string, at: number, historyEntries = 200) => {
    const clock = createVirtualClock()
    const limits = { ...DEFAULT_LIMITS, historyEntries }
    const execute: ExecuteCall = async () => 'ok'
    const first = runBatch(
      EMPTY_LOOP,
      { id: '1', calls: [call('a', 'x'), call('other')] },
      execute,
      clock,
      limits,
    )
    await clock.advance(at)
    const { state } = await first
    const next = runBatch(state, { id: '2', calls: [call(id, signature)] }, execute, clock, limits)
    await clock.advance(0)
    const { results, events } = await next
    const [result] = results
    return result?.success ? result.content : [events[0]?.kind, JSON.parse(result?.content ?? '')]
  }
  const refused = (code: string, seconds: number) => [
    'refused',
    { success: false, code, error: `Run ${seconds} s ago as a; not run again.` },
  ]

  test.each([
    [29_999, refused('ANTI_LOOP_SIGNATURE', 29.999)],
    [30_000, 'ok'],
  ])('under another id is checked %i ms later', async (at, expected) => {
    expect(await again('b', 'x', at)).toEqual(expected)
  })

  test.each([
    [299_999, refused('ANTI_LOOP_ID', 299.999)],
    [300_000, 'ok'],
  ])('under the same id is checked %i ms later', async (at, expected) => {
    expect(await again('a', 'another', at)).toEqual(expected)
  })

  test.each([
    [2, refused('ANTI_LOOP_ID', 0)],
    [1, 'ok'],
  ])('is remembered while among the last %i executions', async (entries, expected) => {
    expect(await again('a', 'x', 0, entries)).toEqual(expected)
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

describe('for any calls, times and tools', () => {
  type Behaviour = 'answer' | 'late' | 'never' | 'throw' | 'reject'
  const anyLimits = fc.record({
    callsPerBatch: fc.integer({ min: 0, max: 6 }),
    idWindow: fc.integer({ min: 0, max: 20_000 }),
    signatureWindow: fc.integer({ min: 0, max: 20_000 }),
    timeout: fc.integer({ min: 0, max: 3000 }),
    historyEntries: fc.constantFrom(1, 3, 200),
    callsPerSession: fc.constant(1000),
    retries: fc.constant(0),
  })
  const anyCall = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    signature: fc.constantFrom('x', 'y', 'z'),
    behaviour: fc.constantFrom<Behaviour>('answer', 'late', 'never', 'throw', 'reject'),
    takes: fc.integer({ min: 0, max: 4000 }),
  })
  const anyBatches = fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 15_000 }),
      calls: fc.array(anyCall, { maxLength: 8 }),
    }),
    { maxLength: 6 },
  )

  test('no call is executed twice within the guards’ limits', async () => {
    await fc.assert(
      fc.asyncProperty(anyLimits, anyBatches, async (limits, batches) => {
        const clock = createVirtualClock()
        const executed: { id: string; signature: string; batch: number; at: number }[] = []
        let state = EMPTY_LOOP
        for (const [batch, { wait, calls }] of batches.entries()) {
          await clock.advance(wait)
          const pending = calls.map((one) => ({ ...call(one.id, one.signature), one }))
          const running = runBatch(
            state,
            { id: `${batch}`, calls: pending },
            (asked) => {
              const { one } = asked as (typeof pending)[number]
              executed.push({ id: asked.id, signature: asked.signature, batch, at: clock.now() })
              if (one.behaviour === 'throw') throw new Error('thrown')
              if (one.behaviour === 'reject') return Promise.reject(new Error('rejected'))
              if (one.behaviour === 'never') return new Promise(() => {})
              if (one.behaviour === 'answer') return Promise.resolve('ok')
              return new Promise((resolve) => clock.after(one.takes, () => resolve('late')))
            },
            clock,
            limits,
          )
          await clock.advance(3000 * calls.length)
          const run = await running
          state = run.state
          expect(run.results.map(({ tool_call_id: id }) => id)).toEqual(calls.map(({ id }) => id))
          expect(state.history.length).toBeLessThanOrEqual(limits.historyEntries)
          const inBatch = executed.filter((one) => one.batch === batch)
          expect(inBatch.length).toBeLessThanOrEqual(limits.callsPerBatch)
          expect(new Set(inBatch.map(({ signature }) => signature)).size).toBe(inBatch.length)
        }
        for (const [index, one] of executed.entries()) {
          // A call dropped from the history may run again.
          for (const other of executed.slice(index + 1, index + 1 + limits.historyEntries)) {
            const apart = other.at - one.at
            if (one.id === other.id) expect(apart).toBeGreaterThanOrEqual(limits.idWindow)
            if (one.signature === other.signature && one.batch !== other.batch) {
              expect(apart).toBeGreaterThanOrEqual(limits.signatureWindow)
            }
          }
        }
      }),
      fuzz(150),
    )
  })
})
