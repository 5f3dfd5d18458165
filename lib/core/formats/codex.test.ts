import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyText } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const MASK = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
}

const line = (type: string, payload: unknown) => ({ timestamp: 'now', type, payload })
const item = (payload: unknown) => line('response_item', payload)
const event = (payload: unknown) => line('event_msg', payload)
const user = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})
const call = (id: string | undefined, name = 'shell') => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: '{"command":["ls"]}',
})
const output = (id: string | undefined, text: unknown) => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
})
const META = line('session_meta', { id: 's', base_instructions: { text: 'be brief' } })
const linesOf = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')
const turn = (id: string, text: unknown) => [item(call(id)), item(output(id, text))]

function read(...lines: unknown[]) {
  const { conversations, problems, format } = readDocument(
    linesOf(META, item(user('go')), ...lines),
  )
  expect([format.id, problems]).toEqual(['codex', []])
  return conversations
}

describe('shapes', () => {
  const LINES = [META, item(user('go')), ...turn('a', 'x')]
  test.each([
    ['a rollout', linesOf(...LINES), 'event_lines'],
    ['its lines as a list', JSON.stringify(LINES), 'event_array'],
    [
      'an older one, with bare items',
      linesOf(
        { id: 's', timestamp: 'now', instructions: 'be brief', git: {} },
        { record_type: 'state' },
        user('go'),
        call('a'),
        output('a', 'x'),
      ),
      'event_lines',
    ],
    [
      'a draft of the format, without ids',
      linesOf(
        { id: 's', instructions: 'be brief' },
        { role: 'user', message: 'go' },
        { type: 'function_call', function: { name: 'shell' }, arguments: { command: ['ls'] } },
        { type: 'function_result', name: 'shell', result: 'x' },
      ),
      'event_lines',
    ],
  ])('%s is one session', (_, text, shape) => {
    const { format, evidence, conversations, problems } = readDocument(text)
    expect([format.id, evidence.shape, problems]).toEqual(['codex', shape, []])
    expect(conversations).toMatchObject([
      {
        label: 'session',
        opening: 'go',
        turnCount: 1,
        messages: [{ role: 'system', chars: 8 }, { role: 'user' }, { turn: 0 }, { role: 'tool' }],
        calls: [{ name: 'shell', argumentsPreview: '{"command":["ls"]}' }],
        results: [{ turn: 0, toolName: 'shell', chars: 1 }],
      },
    ])
    const masked = maskDocument({ text, ...readDocument(text) }, { ...MASK, windowTurns: 0 })
    expect(masked.text).toBe(text)
  })

  test('calls without ids are tied by name and order', () => {
    const named = (name: string) => ({ type: 'function_call', function: { name }, arguments: {} })
    const result = (name: string, text: string) => ({ type: 'function_result', name, result: text })
    const text = linesOf(
      named('read'),
      named('list'),
      result('list', 'l'),
      result('read', '1'),
      named('read'),
      result('read', '2'),
      result('read', '?'),
    )
    const [conversation] = readDocument(text).conversations
    expect(conversation?.results.map(({ callId, turn: of }) => [callId, of])).toEqual([
      ['list-1', 0],
      ['read-1', 0],
      ['read-2', 1],
      [undefined, undefined],
    ])
  })

  test('items alone on lines are of Responses, lines of other agents are not claimed', () => {
    expect(readDocument(linesOf(user('go'), call('a'), output('a', 'x'))).format.id).toBe(
      'openai-responses',
    )
    const claude = { type: 'user', message: { role: 'user', content: 'go' }, sessionId: 's' }
    expect(readDocument(linesOf(claude, claude)).format.id).toBe('claude-code')
  })

  test('the model is the one of the turn, the tools those the session names', () => {
    const text = linesOf(
      line('session_meta', { instructions: null, dynamic_tools: [{ name: 'ask' }] }),
      line('turn_context', { model: 'gpt-5.5' }),
      item(user('go')),
    )
    expect(readDocument(text).conversations).toMatchObject([
      { model: 'gpt-5.5', toolSchemas: '[{"name":"ask"}]', messages: [{ role: 'user' }] },
    ])
  })
})

describe('compaction', () => {
  test('what follows is a conversation of its own, which begins with what was kept', () => {
    const [before, after] = read(
      ...turn('a', 'x'),
      line('compacted', { message: '', replacement_history: [user('go'), user('a summary')] }),
      ...turn('b', 'y'),
    )
    expect(before).toMatchObject({ label: 'session', turnCount: 1, messages: { length: 4 } })
    expect(after).toMatchObject({
      label: 'after the compaction, line 5',
      turnCount: 1,
      messages: [
        { role: 'system' },
        { role: 'user', chars: 2 },
        { role: 'user', chars: 9 },
        { turn: 0 },
        { role: 'tool' },
      ],
      results: [{ callId: 'b', turn: 0 }],
    })
  })

  test('an older one begins with its summary', () => {
    const [, after] = read(...turn('a', 'x'), line('compacted', { message: 'a summary' }))
    expect(after).toMatchObject({ messages: [{ role: 'system' }, { role: 'user', chars: 9 }] })
  })

  test('an id used before and after is two results', () => {
    const lines = [
      ...turn('a', 'old'),
      item(call('z')),
      line('compacted', { replacement_history: [user('go'), call('a'), output('a', 'old')] }),
      ...turn('b', 'new'),
    ]
    const text = linesOf(META, ...lines)
    const masked = maskDocument({ text, ...readDocument(text) }, MASK).text
    expect(masked).not.toContain('"old"')
    expect(masked).toContain('"new"')
  })
})

describe('events that repeat an output', () => {
  const ended = (id: string, more: object = {}) =>
    event({
      type: 'exec_command_end',
      call_id: id,
      stdout: 'x\n',
      stderr: '',
      aggregated_output: 'x\n',
      formatted_output: 'x',
      status: 'completed',
      ...more,
    })

  test.each([
    ['the end of a command', ended('a'), 3],
    [
      'the end of an MCP call',
      event({
        type: 'mcp_tool_call_end',
        call_id: 'a',
        invocation: { server: 's', tool: 't', arguments: { q: 'kept' } },
        result: {
          Ok: { content: [{ type: 'text', text: 'x' }], structuredContent: { rows: ['x', 'y'] } },
        },
      }),
      3,
    ],
    [
      'a call that failed',
      event({ type: 'mcp_tool_call_end', call_id: 'a', result: { Err: 'x' } }),
      1,
    ],
    [
      'the end of a patch, but for its changes',
      event({
        type: 'patch_apply_end',
        call_id: 'a',
        stdout: 'x',
        changes: { f: { content: 'k' } },
      }),
      1,
    ],
    [
      'an item of a newer version',
      event({ type: 'item_completed', item: { type: 'CommandExecution', id: 'a', stdout: 'x' } }),
      1,
    ],
    ['the end of another call', ended('b'), 0],
    ['what found the web', event({ type: 'web_search_end', call_id: 'a', results: ['x'] }), 0],
  ])('%s', (_, told, twins) => {
    const lines = [item(call('a')), told, item(output('a', 'x')), ...turn('z', 'y')]
    const [conversation] = read(...lines)
    expect(conversation?.results[0]?.twins).toBe(twins)
    const text = linesOf(META, ...lines)
    expectStableMasking(text, 'codex')
    const masked = JSON.parse(
      maskDocument({ text, ...readDocument(text) }, MASK).text.split('\n')[2] as string,
    )
    if (twins > 0) expect(JSON.stringify(masked.payload)).toContain('tool_call_id=a')
    else expect(masked).toEqual(told)
    expect(JSON.stringify(masked)).not.toMatch(twins > 0 ? /"x/ : /tool_call_id=/)
  })

  test('an id used again has the events of its own call', () => {
    const [conversation] = read(
      item(call('a')),
      ended('a'),
      item(output('a', 'x')),
      item(call('a')),
      item(output('a', 'y')),
      ended('a', { stderr: 'z', status: 'failed' }),
    )
    expect(conversation?.results).toMatchObject([
      { twins: 3, errorRules: [] },
      { twins: 4, errorRules: ['flag'] },
    ])
  })

  test('of a result without text nothing is masked', () => {
    const image = [{ type: 'input_image', image_url: 'data:' }]
    const [conversation] = read(item(call('a')), ended('a'), item(output('a', image)))
    expect(conversation?.results).toMatchObject([{ shape: 'other', slots: [], twins: 0 }])
  })
})

describe('repeats that name no call are found by their text', () => {
  const SAID = 'the first line of many\nand the second of them\n'
  const ran = (stdout: string, more: object = {}) =>
    event({
      type: 'item_completed',
      item: { type: 'CommandExecution', id: 'exec-1', stdout, formatted_output: stdout, ...more },
    })
  const script = (id: string, output: unknown) => [
    item({ type: 'custom_tool_call', call_id: id, name: 'exec', input: 'run()' }),
    ran(SAID),
    item({ type: 'custom_tool_call_output', call_id: id, output }),
  ]

  test.each([
    ['in a text', `Output:\n${SAID}`],
    ['in a part', [{ type: 'input_text', text: `Output:\n${SAID}` }]],
    ['in JSON written in a text', `Output:\n${JSON.stringify({ exit_code: 0, output: SAID })}`],
    ['in JSON alone', JSON.stringify({ chunks: [{ output: SAID }] })],
  ])('what a script ran, %s', (_, said) => {
    const lines = [...script('a', said), ...turn('z', 'y')]
    expect(read(...lines)[0]?.results[0]?.twins).toBe(2)
    const text = linesOf(META, ...lines)
    expectStableMasking(text, 'codex')
    expect(maskDocument({ text, ...readDocument(text) }, MASK).text).not.toContain('the first line')
  })

  test('of results with the same lines, the next one after the event has it', () => {
    const [conversation] = read(...script('a', SAID), ...script('b', SAID))
    expect(conversation?.results.map(({ twins }) => twins)).toEqual([2, 2])
  })

  test('short outputs and other lines are of no result', () => {
    const [conversation] = read(ran('x'), ran('something else altogether'), ...turn('a', 'x'))
    expect(conversation?.results[0]?.twins).toBe(0)
  })

  test('a command of a script that failed does not flag the script', () => {
    const [conversation] = read(ran(SAID, { status: 'failed', exit_code: 1 }), ...turn('a', SAID))
    expect(conversation?.results).toMatchObject([{ twins: 2, errorRules: [] }])
  })

  test('what other agents reported, in the event of the call that waited for them', () => {
    const report = 'All of it was looked through.'
    const [conversation] = read(
      item(call('a', 'wait')),
      event({
        type: 'collab_waiting_end',
        call_id: 'a',
        statuses: { one: { completed: report }, two: 'not_found_at_all' },
      }),
      item(output('a', JSON.stringify({ status: { one: { completed: report } } }))),
    )
    expect(conversation?.results[0]?.slots.map(({ pointer }) => pointer)).toEqual([
      '/payload/output',
      '/payload/statuses/one/completed',
    ])
  })

  test('outputs in a history that is kept for a reviewer at a compaction', () => {
    const text = linesOf(
      META,
      ...turn('a', SAID),
      ...turn('b', 'y'),
      line('compacted', {
        message: 'so far',
        guardian_history: { items: [output('a', SAID), user('the first line of many')] },
      }),
    )
    const [conversation] = readDocument(text).conversations
    expect(conversation?.results.map(({ twins }) => twins)).toEqual([1, 0])
    expectStableMasking(text, 'codex')
  })
})

describe('exit codes', () => {
  const wrapped = (code: number) =>
    JSON.stringify({ output: 'x', metadata: { exit_code: code, duration_seconds: 0.1 } })
  test.each([
    ['JSON with a failing code', wrapped(1), true],
    ['JSON with code 0', wrapped(0), false],
    ['JSON of a tool', '{"exit_code":"1","output":"x"}', false],
    ['a header with a failing code', 'Exit code: 2\nWall time: 0.1 seconds\nOutput:\nx', true],
    ['a header with code 0', 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nx', false],
    ['the end of a session', 'Chunk ID: a\nProcess exited with code 127\nOutput:\nx', true],
    ['a session that goes on', 'Process running with session ID 1\nOutput:\nx', false],
    ['such a line in the output', 'Exit code: 0\nOutput:\nExit code: 1', false],
    ['a script that failed', 'Script failed\nWall time 0.1 seconds\nOutput:\nx', true],
    ['an object that says so', { content: 'x', success: false }, true],
  ])('%s', (_, said, isFlagged) => {
    const [conversation] = read(...turn('a', said))
    expect(conversation?.results[0]?.errorRules).toEqual(isFlagged ? ['flag'] : [])
  })

  test('of the command’s end', () => {
    const end = event({ type: 'exec_command_end', call_id: 'a', stdout: 'x', exit_code: 1 })
    const [conversation] = read(item(call('a')), end, item(output('a', 'x')))
    expect(conversation?.results[0]?.errorRules).toEqual(['flag'])
  })
})

describe('what is of a wrong type gets a sentence', () => {
  const REST = [META, item(user('go')), ...turn('a', 'x')]
  test.each([
    [linesOf(...REST, 7), 'line 5 is a number, not a message; it was left alone.', '7'],
    [linesOf(...REST, []), 'line 5 is a list of 0 items, not a message', '[]'],
    [
      linesOf(...REST, item('x')),
      'line 5: payload is a text; expected a response_item, an object.',
      '"x"',
    ],
    [
      linesOf(...REST, item({ type: 'song' })),
      'line 5: payload is an object with "type", not a message; it was left alone.',
      '{"type":"song"}',
    ],
    [
      linesOf(...REST, item(output('a', 7))),
      'line 5: payload.output is a number; expected a text or a list of parts.',
      '7',
    ],
    [
      linesOf(...REST, line('compacted', { replacement_history: 'x' })),
      'line 5: payload.replacement_history is a text; expected a list of items.',
      '"x"',
    ],
    [
      linesOf(...REST, { type: 'function_result', name: 'shell', result: 7 }),
      'line 5: result is a number; expected a text or a list of parts.',
      '7',
    ],
  ])('%s', (text, sentence, at) => {
    const [[said, place] = [], ...more] = complaintsOf(text).said
    expect(more).toEqual([])
    expect(said).toContain(sentence)
    expect(place?.startsWith(at)).toBe(true)
  })

  test('a session in which nothing was sent cannot be read', () => {
    expect(() => readDocument(linesOf(META, event({ type: 'task_started' })))).toThrow(
      'the document is a Codex session in which nothing was sent; expected lines of type "response_item"',
    )
  })

  test('a line cut off is said, and the rest is read', () => {
    const text = linesOf(...REST).slice(0, -9)
    const { said } = complaintsOf(text)
    expect(said).toHaveLength(1)
    expect(said[0]?.[0]).toContain('Line 4 is not JSON')
  })
})

test('whatever is called, told and compacted, masking changes the listed strings and nothing else, once', () => {
  const anyId = fc.constantFrom('a', 'b', '__proto__')
  const anyLine = fc.oneof(
    anyId.map((id) => item(call(id))),
    fc.record({ id: anyId, text: anyText }).map(({ id, text }) => item(output(id, text))),
    fc
      .record({ id: anyId, text: anyText })
      .map(({ id, text }) => item(output(id, [{ type: 'input_text', text }]))),
    fc
      .record({ id: anyId, text: anyText })
      .map(({ id, text }) =>
        event({ type: 'exec_command_end', call_id: id, stdout: text, aggregated_output: text }),
      ),
    fc.record({ id: anyId, text: anyText }).map(({ id, text }) => output(id, text)),
    anyText.map((text) => line('compacted', { message: text })),
    anyText.map((text) => item(user(text))),
  )
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 24 }), (lines) => {
      expectStableMasking(linesOf(META, item(user('go')), ...lines), 'codex')
    }),
  )
})
