import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from './guards'
import { LOOP_TEXTS } from './loop-texts'
import {
  createCallCheck,
  type ExecuteCall,
  isBatchDone,
  runBatch,
  startBatch,
  stepBatch,
} from './run-batch'
import { runMetrics, writeTrace } from './run-metrics'
import { call, run } from './testing/run-calls'
import { createVirtualClock, type VirtualClock } from './testing/virtual-clock'
import { EMPTY_LOOP } from './tool-call-manager'

/** A tool that answers after a delay in milliseconds. */
function answerAfter(clock: VirtualClock, milliseconds: number, value: unknown): ExecuteCall {
  return () => new Promise((resolve) => clock.after(milliseconds, () => resolve(value)))
}

const NO_JSON = 'Do not know how to serialize a BigInt'

describe('results', () => {
  test.each<[string, ExecuteCall, string]>([
    ['a string', async () => 'plain', 'plain'],
    ['a value', async () => ({ rows: [1] }), '{"rows":[1]}'],
    ['nothing', async () => undefined, ''],
  ])('of a tool that gives %s are its text or JSON', async (_, execute, content) => {
    const { results } = await run([call('a')], () => execute)
    expect(results).toEqual([{ tool_call_id: 'a', name: 'tool a', content, success: true }])
  })

  test.each<[string, () => unknown, string]>([
    ['rejects', () => Promise.reject(new Error('no such table')), 'no such table'],
    ['throws', () => JSON.parse('{'), 'JSON'],
    ['throws no error object', () => Promise.reject('disk full'), 'disk full'],
    ['gives what is no JSON', async () => 1n, NO_JSON],
  ])('of a tool that %s are failures with a code', async (_, execute, error) => {
    const { results, events } = await run([call('a')], () => execute as ExecuteCall)
    const [result] = results
    expect(result?.success).toBe(false)
    expect(JSON.parse(result?.content ?? '')).toEqual({
      success: false,
      error: expect.stringContaining(error),
      code: 'TOOL_MANAGER_ERROR',
    })
    const retries = Array<string>(error === NO_JSON ? 0 : DEFAULT_LIMITS.retries).fill('retried')
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
    const kinds = ['started undefined', 'retried TOOL_MANAGER_ERROR', 'finished undefined']
    expect(events.map(({ kind, code }) => `${kind} ${code}`)).toEqual(kinds)
  })

  test('of a tool that fails slowly are a timeout, because attempts share it', async () => {
    const { results, events } = await run(
      [call('a')],
      (clock) => () =>
        new Promise((_, reject) => clock.after(6_000, () => reject(new Error('busy')))),
    )
    expect(JSON.parse(results[0]?.content ?? '')).toMatchObject({ code: 'TIMEOUT' })
    expect(runMetrics(events).all).toEqual({
      ...{ calls: 1, succeeded: 0, failed: 1, stopped: 0, retries: 2, codes: { TIMEOUT: 1 } },
      ...{ successRate: 0, averageTime: 15_000 },
    })
    const kinds = ['started 0', 'retried 6000', 'retried 12000', 'failed 15000']
    expect(events.map(({ kind, at }) => `${kind} ${at}`)).toEqual(kinds)
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
    const check = createCallCheck(new Map([['tool a', { type: 'object', required: ['path'] }]]))
    const executed: string[] = []
    const execute: ExecuteCall = async ({ id }) => executed.push(id)
    const broken = { ...call('c'), name: 'tool a', arguments: 'no JSON' }
    const mended = { ...call('d'), name: 'tool a', arguments: "{'path': 1,}" }
    const batch = { id: '1', calls: [call('a'), call('b'), broken, mended] }
    let progress = startBatch(EMPTY_LOOP, batch, DEFAULT_LIMITS, LOOP_TEXTS.fr)
    while (!isBatchDone(progress)) {
      progress = await stepBatch(progress, execute, createVirtualClock(), undefined, check)
    }
    expect(executed).toEqual(['b', 'd'])
    const refused = (error: unknown) => ({ success: false, error, code: 'INVALID_ARGUMENTS' })
    expect(progress.results.map(({ content }) => JSON.parse(content))).toEqual([
      refused(expect.stringMatching(/^Les arguments ne respectent pas .*path/)),
      1,
      refused('Les arguments ne sont pas un objet JSON.'),
      2,
    ])
    expect(progress.state.started).toBe(2)
    // A tool of which no call ran has no rate and no time.
    const ofRefused = progress.events.filter(({ callId }) => callId === 'a')
    const { stopped, successRate, averageTime } = runMetrics(ofRefused).all
    expect([stopped, successRate, averageTime]).toEqual([1, undefined, undefined])
  })
})

test('a batch that is done stays as it is', async () => {
  const done = startBatch(EMPTY_LOOP, { id: '1', calls: [] }, DEFAULT_LIMITS)
  expect(await stepBatch(done, async () => 'ok', createVirtualClock())).toBe(done)
})

test('sentences have the number, name or reason that they are about', () => {
  const { en, fr } = LOOP_TEXTS
  const by = { callId: 'a', signature: 's', batch: '1', at: 1_000 }
  const ofId = { guard: 'ANTI_LOOP_ID', window: 10_000, now: 3_500, by } as const
  const ofSignature = { ...ofId, guard: 'ANTI_LOOP_SIGNATURE', window: 2_500 } as const
  expect([en, fr].map(({ notAuthorized }) => ['', 'no token'].map(notAuthorized))).toEqual([
    ['The call is not authorised', 'The call is not authorised: no token'],
    ["L'appel n'est pas autorisé", "L'appel n'est pas autorisé : no token"],
  ])
  expect([ofId, ofSignature].map(en.ranBefore)).toEqual([
    'Run 2.5 s ago as a; not run again.',
    'Run 2.5 s ago as a; not run again.',
  ])
  expect([ofId, ofSignature].map(fr.ranBefore)).toEqual([
    'Tool call déjà exécuté - anti-boucle',
    'Signature exécutée très récemment (<2,5s)',
  ])
  expect([fr.batchLimit(8), fr.sessionLimit(9), fr.duplicate('a'), fr.timeout(0.5)]).toEqual([
    'Plus de 8 appels dans un même lot.',
    "La session a atteint sa limite d'appels, 9.",
    'Le même appel que a dans ce lot.',
    'Pas de réponse en 0,5 s.',
  ])
  expect(fr.noTool('x', 'y, z')).toBe(`L'outil "x" n'existe pas ; il y a y, z.`)
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
