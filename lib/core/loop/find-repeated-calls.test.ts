import { describe, expect, test } from 'vitest'
import type { ReadConversation } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import type { RepeatedCallsReport } from './repeated-calls-report'
import { inspectConversation, inspectText, OPTIONS } from './testing/inspect-calls'
import { ALL_GUARDS, type GuardSwitches } from './tool-call-manager'

interface Turn {
  readonly calls: readonly (readonly [id: string, path: string, result: string])[]
  readonly at?: string
}

function inspect(turns: readonly Turn[], options = OPTIONS): RepeatedCallsReport {
  const messages = turns.flatMap(({ calls, at }) => [
    {
      role: 'assistant',
      content: null,
      timestamp: at,
      tool_calls: calls.map(([id, path]) => ({
        id,
        function: { name: 'read', arguments: `{"path":"${path}"}` },
      })),
    },
    ...calls.map(([id, , content]) => ({ role: 'tool', tool_call_id: id, content })),
  ])
  const [report] = inspectText(JSON.stringify({ messages }), options)
  if (report === undefined) throw new Error('nothing was read')
  return report
}

const read = (id: string, path: string, result = 'text') => ({
  calls: [[id, path, result] as const],
})

describe('without times', () => {
  test('finds a repeat at any distance, and stops it only within the set number of turns', () => {
    const { clock, repeats, stopped } = inspect([
      read('1', 'a'),
      read('2', 'b'),
      read('3', 'a', 'other'),
      read('4', 'c'),
      read('5', 'd'),
      read('6', 'b'),
    ])
    expect(clock).toBe('turn_order')
    expect(
      repeats.map(({ call, earlier, turnsApart, isSameResult, tokens }) => {
        return { call, earlier, turnsApart, isSameResult, tokens }
      }),
    ).toEqual([
      { call: 2, earlier: 0, turnsApart: 2, isSameResult: false, tokens: 5 },
      { call: 5, earlier: 1, turnsApart: 4, isSameResult: true, tokens: 4 },
    ])
    expect(stopped.map(({ call, guard, tokens }) => [call, guard, tokens])).toEqual([
      [2, 'ANTI_LOOP_SIGNATURE', 5],
    ])
  })

  test('calls without an id are not checked, calls without a name are', () => {
    const call = (id?: string) => ({
      role: 'assistant',
      tool_calls: [{ id, function: { arguments: '{}' } }],
    })
    const answer = (content: string) => ({ role: 'tool', tool_call_id: '1', content })
    const messages = [call(), call('1'), answer('one'), answer('four'), call('2')]
    const [conversation] = readDocument(JSON.stringify({ messages }), { format: 'openai-chat' })
      .conversations as [ReadConversation]
    const { repeats } = inspectConversation(conversation)
    expect(repeats).toHaveLength(1)
    expect(repeats[0]).toMatchObject({ call: 2 })
  })

  test('the order of keys does not matter, the notation of numbers does', () => {
    const call = (id: string, text: string) => ({
      role: 'assistant',
      tool_calls: [{ id, function: { name: 'read', arguments: text } }],
    })
    const messages = [
      call('1', '{"a":{"x":1,"y":[2]},"b":12345678901234567890}'),
      call('2', '{ "b": 12345678901234567890, "a": {"y": [2], "x": 1} }'),
      call('3', '{"a":{"x":1,"y":[2]},"b":12345678901234567891}'),
    ]
    const [report] = inspectText(JSON.stringify({ messages }))
    expect(report?.repeats.map(({ call: at }) => at)).toEqual([1])
  })
})

describe('with a time on every turn', () => {
  test.each([
    ['2026-01-01T00:00:29.999Z', ['ANTI_LOOP_SIGNATURE']],
    ['2026-01-01T00:00:30.000Z', []],
  ])('a call repeated at %s is stopped by %j', (at, guards) => {
    const { clock, stopped, repeats } = inspect([
      { ...read('1', 'a'), at: '2026-01-01T00:00:00.000Z' },
      { ...read('2', 'a'), at },
    ])
    expect(clock).toBe('timestamps')
    expect(stopped.map(({ guard }) => guard)).toEqual(guards)
    expect(repeats[0]?.timeApart).toBe(Date.parse(at) - Date.parse('2026-01-01T00:00:00Z'))
  })
})

test('reports calls over the limit, duplicates in a batch, and ping-pongs', () => {
  const many = { calls: Array.from({ length: 12 }, (_, at) => [`m${at}`, `p${at}`, 'x'] as const) }
  const pair = {
    calls: [
      ['t1', 'same', 'x'],
      ['t2', 'same', 'x'],
    ] as const,
  }
  const pingPong = ['a', 'b', 'a', 'b'].map((path, at) => read(`g${at}`, path))
  const report = inspect([many, pair, ...pingPong])
  expect(report.stopped.map(({ call, guard }) => [call, guard])).toEqual([
    [10, 'batch_limit'],
    [11, 'batch_limit'],
    [13, 'duplicate'],
    [16, 'ANTI_LOOP_SIGNATURE'],
    [17, 'ANTI_LOOP_SIGNATURE'],
  ])
  expect(report.pingPongs).toEqual([{ calls: [14, 15, 16, 17], tokens: 8 }])
})

test('reports identical errors of one tool from the third on', () => {
  const error = 'error: no such file'
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => read(`${at}`, `path ${at}`, error))
  expect(inspect(turns(2)).repeatedErrors).toEqual([])
  expect(inspect(turns(3)).repeatedErrors).toEqual([
    { toolName: 'read', results: [0, 1, 2], tokens: 2 * error.length },
  ])
})

describe('a guard that is off', () => {
  const pair = {
    calls: [
      ['t1', 'same', 'x'],
      ['t2', 'same', 'x'],
    ] as const,
  }
  const guardsOf = (turns: readonly Turn[], off: Partial<GuardSwitches>) =>
    inspect(turns, { ...OPTIONS, guards: { ...ALL_GUARDS, ...off } }).stopped.map(
      ({ call, guard }) => [call, guard],
    )

  test('leaves its calls to the guards after it', () => {
    const turns = [read('1', 'a'), { calls: [['1', 'a', 'x'] as const] }]
    expect(guardsOf(turns, {})).toEqual([[1, 'ANTI_LOOP_ID']])
    expect(guardsOf(turns, { ANTI_LOOP_ID: false })).toEqual([[1, 'ANTI_LOOP_SIGNATURE']])
    expect(guardsOf(turns, { ANTI_LOOP_ID: false, ANTI_LOOP_SIGNATURE: false })).toEqual([])
  })

  test('lets calls run, which then count for the other guards', () => {
    expect(guardsOf([pair, read('t2', 'b')], {})).toEqual([[1, 'duplicate']])
    expect(guardsOf([pair, read('t2', 'b')], { duplicate: false })).toEqual([[2, 'ANTI_LOOP_ID']])
  })

  test('drops no call over the limit, but calls over the limit are still reported', () => {
    const many = { calls: Array.from({ length: 12 }, (_, at) => [`${at}`, `${at}`, 'x'] as const) }
    expect(guardsOf([many], { batch_limit: false })).toEqual([])
    const { overLimit } = inspect([many], {
      ...OPTIONS,
      guards: { ...ALL_GUARDS, batch_limit: false },
    })
    expect(overLimit.map(({ call, position }) => [call, position])).toEqual([
      [10, 10],
      [11, 11],
    ])
  })
})

test('calls written as text differ by name and arguments', () => {
  const turn = (command: string) => [
    { role: 'assistant', content: `Next:\n\`\`\`bash\n${command}\n\`\`\`` },
    { role: 'user', content: '<returncode>0</returncode>' },
  ]
  const document = {
    trajectory_format: 'mini-swe-agent-1.1',
    info: {},
    messages: [...turn('ls'), ...turn('cat a'), ...turn('ls')],
  }
  const [report] = inspectText(JSON.stringify(document))
  expect(report?.repeats.map(({ call, earlier }) => [call, earlier])).toEqual([[2, 0]])
})

test('reports a reused id, and whether the call is the same', () => {
  const turns = [read('1', 'a'), read('1', 'b'), read('1', 'b'), read('2', 'b')]
  expect(
    inspect(turns).repeatedIds.map(({ call, earlier, isSameCall }) => [call, earlier, isSameCall]),
  ).toEqual([
    [1, 0, false],
    [2, 1, true],
  ])
})

test('a call that reuses an id has its result only, not the earlier one', () => {
  const { repeats, stopped } = inspect([
    read('1', 'a', 'the first long text'),
    read('1', 'b', 'the second'),
    read('1', 'a', 'the first long text'),
  ])
  expect(stopped.map(({ call, results, tokens }) => [call, results, tokens])).toEqual([
    [1, [1], 10],
    [2, [2], 19],
  ])
  expect(repeats.map(({ tokens, isSameResult }) => [tokens, isSameResult])).toEqual([[19, true]])
})

test('a stopped call has the results it saves and the tokens of its refusal', () => {
  const { stopped } = inspect([read('1', 'a', 'a long text'), read('2', 'a', 'a long text')])
  expect(stopped).toEqual([
    {
      call: 1,
      turn: 1,
      guard: 'ANTI_LOOP_SIGNATURE',
      results: [1],
      tokens: 11,
      refusalTokens: JSON.stringify({
        success: false,
        error: 'Run 10 s ago as 1; not run again.',
        code: 'ANTI_LOOP_SIGNATURE',
      }).length,
    },
  ])
})

test('ignores times unless every turn has one, and reports how many have', () => {
  const { clock, timedTurns } = inspect([
    { ...read('1', 'a'), at: '2026-01-01T00:00:00Z' },
    read('2', 'a'),
  ])
  expect({ clock, timedTurns }).toEqual({ clock: 'turn_order', timedTurns: 1 })
})
