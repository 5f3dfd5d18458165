import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { ReadError } from '../problem'
import { anyMessages, type ChatMessage } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const ASK = { role: 'user', content: 'go' }
const call = (id: unknown, name: unknown = 'read', more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: '{"path":"a"}',
  ...more,
})
const output = (id: unknown, text: unknown, more: object = {}) => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
  ...more,
})
const said = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const ITEMS = [ASK, call('a'), output('a', 'x')]
const linesOf = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')

function read(...items: unknown[]) {
  const { conversations, problems } = readDocument(JSON.stringify([...ITEMS, ...items]))
  expect(problems).toEqual([])
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

describe('shapes', () => {
  const BODY = { model: 'gpt-5', input: ITEMS }
  test.each([
    ['items alone', JSON.stringify(ITEMS), 'message_array', ['items']],
    ['a request body', JSON.stringify(BODY), 'request_body', ['input']],
    ['bodies on lines', linesOf(BODY, BODY), 'body_lines', ['line 1', 'line 2']],
    ['items on lines', linesOf(...ITEMS), 'message_lines', ['items']],
    [
      'a log of requests, whose answers the next request repeats',
      JSON.stringify([
        { request: BODY, response: { object: 'response', output: [said('x'), call('b')] } },
        { request: BODY },
      ]),
      'nested_lists',
      ['[0].request.input', '[1].request.input'],
    ],
  ])('%s: one conversation a list, with where it stands', (_, text, shape, labels) => {
    const { format, evidence, conversations } = readDocument(text)
    expect([format.id, evidence.shape]).toEqual(['openai-responses', shape])
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    for (const { turnCount, calls, results } of conversations) {
      expect(turnCount).toBe(1)
      expect(calls).toMatchObject([{ id: 'a', name: 'read', argumentsPreview: '{"path":"a"}' }])
      expect(results).toMatchObject([{ callId: 'a', turn: 0, shape: 'text', chars: 1 }])
    }
  })

  test('a response alone is one answer', () => {
    const response = {
      object: 'response',
      model: 'gpt-5',
      output: [{ type: 'reasoning', summary: [] }, said('x'), call('b')],
    }
    const [conversation] = readDocument(JSON.stringify(response)).conversations
    expect(conversation).toMatchObject({
      label: 'output',
      model: 'gpt-5',
      turnCount: 1,
      messages: [{ role: 'assistant', more: [{}, {}] }],
    })
  })

  test('instructions are a system text, a text as input is the message of the user', () => {
    const text = JSON.stringify({
      model: 'gpt-5',
      instructions: 'be brief',
      input: 'go',
      tools: [],
    })
    const { conversations, format } = readDocument(text)
    expect(format.id).toBe('openai-responses')
    expect(conversations).toMatchObject([
      { label: 'input', opening: 'go', messages: [{ role: 'system', chars: 8 }, { role: 'user' }] },
    ])
    const [place] = conversations[0]?.messages[0]?.contents ?? []
    expect(text.slice(place?.start, place?.end)).toBe('"be brief"')
  })

  test('messages without types are told by the body around them', () => {
    const text = JSON.stringify({ model: 'gpt-5', input: [ASK], tools: [{ type: 'function' }] })
    expect(readDocument(text)).toMatchObject({
      format: { id: 'openai-responses' },
      conversations: [{ model: 'gpt-5', toolSchemas: '[{"type":"function"}]' }],
    })
  })

  test.each([
    ['chat completions', { model: 'gpt-5', messages: [ASK] }],
    ['a dataset of chats', { input: [ASK, { role: 'assistant', content: 'x' }], target: 'x' }],
    ['a logged chat', { model: 'm', input: [ASK, { role: 'tool', tool_call_id: 'a' }] }],
    ['a request for embeddings', { model: 'e', input: 'text', encoding_format: 'float' }],
    [
      'things that have types',
      [
        { type: 'message', text: 'x' },
        { type: 'reasoning', level: 3 },
      ],
    ],
    [
      'calls in the words of others',
      [{ type: 'phone_call', to: 'x' }, { type: 'llm_call', model: 'm' }, { type: 'tool_call' }],
    ],
    ['outputs in the words of others', { cells: [{ type: 'stream_output', output: 'x' }] }],
    [
      'thoughts of others',
      [
        { type: 'reasoning', summary: 'x' },
        { type: 'compaction', at: 1 },
      ],
    ],
  ])('%s are not claimed', (_, value) => {
    const claimed = () => readDocument(JSON.stringify(value), { format: 'openai-responses' })
    expect(claimed).toThrow('not OpenAI Responses')
  })
})

test.each([
  ['a command that failed', { type: 'exit', exit_code: 1 }, ['flag']],
  ['a command that ran out of time', { type: 'timeout' }, ['flag']],
  ['a command that did not', { type: 'exit', exit_code: 0 }, []],
])('of a shell, %s', (_, outcome, rules) => {
  const text = JSON.stringify([
    { type: 'shell_call', call_id: 'a', action: { commands: ['x', 'y'] } },
    {
      type: 'shell_call_output',
      call_id: 'a',
      output: [
        { stdout: 'x', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
        { stdout: 'y', stderr: '', outcome },
      ],
    },
  ])
  expect(readDocument(text).conversations[0]?.results[0]?.errorRules).toEqual(rules)
})

describe('answers', () => {
  test('reasoning, message and calls that stand together are one turn', () => {
    const { turnCount, messages, calls } = read(
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'e',
      },
      said('both'),
      call('b'),
      call('c'),
      output('b', 'x'),
      output('c', 'x'),
      said('done'),
    )
    expect(turnCount).toBe(2)
    expect(messages.map(({ role, turn }) => [role, turn])).toEqual([
      ['user', undefined],
      ['assistant', 0],
      ['tool', undefined],
      ['assistant', 1],
      ['tool', undefined],
      ['tool', undefined],
      ['assistant', undefined],
    ])
    expect(messages[3]).toMatchObject({ more: [{}, {}, {}], reasoning: [{}], contents: [{}] })
    expect(calls.map(({ turn }) => turn)).toEqual([0, 1, 1])
  })

  test('a call without an id opens no turn', () => {
    const { turnCount, results } = read(call(null), output(undefined, 'x'))
    expect([turnCount, results[1]?.callId]).toEqual([1, undefined])
  })

  test('texts that are no text parts are counted as such', () => {
    const content = [
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'u' },
    ]
    expect(read({ role: 'user', content }).messages.at(-1)).toMatchObject({
      chars: 3,
      nonTextParts: 1,
    })
  })
})

describe('results', () => {
  test.each([
    ['a text', output('b', 'x'), 'text', ['/4/output']],
    [
      'text parts',
      output('b', [
        { type: 'input_text', text: 'x' },
        { type: 'input_text', text: 'y' },
      ]),
      'text_parts',
      ['/4/output/0/text', '/4/output/1/text'],
    ],
    [
      'a part that stands alone',
      output('b', { type: 'input_text', text: 'x' }),
      'text_parts',
      ['/4/output/text'],
    ],
    [
      'text and image',
      output('b', [{ type: 'input_text', text: 'x' }, { type: 'input_image' }]),
      'other',
      [],
    ],
    ['nothing', output('b', null), 'other', []],
    [
      'the output of a custom tool',
      { type: 'custom_tool_call_output', call_id: 'b', output: 'x' },
      'text',
      ['/4/output'],
    ],
    [
      'what a shell printed, the longest first',
      {
        type: 'shell_call_output',
        call_id: 'b',
        output: [
          { stdout: 'x', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
          { stdout: 'xy', stderr: 'z', outcome: { type: 'timeout' } },
        ],
      },
      'text',
      ['/4/output/1/stdout', '/4/output/0/stdout', '/4/output/1/stderr'],
    ],
    [
      'a shell that printed nothing',
      {
        type: 'shell_call_output',
        call_id: 'b',
        output: [{ stdout: '', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
      'text',
      ['/4/output/0/stdout'],
    ],
    [
      'a patch that said nothing',
      { type: 'apply_patch_call_output', call_id: 'b', status: 'completed' },
      'other',
      [],
    ],
    [
      'a screenshot',
      {
        type: 'computer_call_output',
        call_id: 'b',
        output: { type: 'computer_screenshot', image_url: 'data:' },
      },
      'other',
      [],
    ],
  ])('%s', (_, item, shape, pointers) => {
    const { results } = read(call('b'), item)
    expect(results[1]).toMatchObject({ callId: 'b', turn: 1, shape })
    expect(results[1]?.slots.map(({ pointer }) => pointer)).toEqual(pointers)
  })

  test('the id of a local shell call is that of its item', () => {
    const { results } = read(
      { type: 'local_shell_call', id: 'ls', call_id: 'b', action: { command: ['ls'] } },
      { type: 'local_shell_call_output', id: 'ls', output: '{"stdout":"a"}' },
    )
    expect(results[1]).toMatchObject({ callId: 'b', turn: 1, toolName: 'local_shell' })
  })

  test('a patch that failed is flagged', () => {
    const item = { type: 'apply_patch_call_output', call_id: 'b', status: 'failed', output: 'no' }
    const { results } = read({ type: 'apply_patch_call', call_id: 'b', operation: {} }, item)
    expect(results[1]).toMatchObject({ toolName: 'apply_patch', errorRules: ['flag'] })
  })
})

describe('tools the provider runs', () => {
  test.each([
    [
      { type: 'mcp_call', id: 'b', name: 'ask', server_label: 's', arguments: '{}', output: 'x' },
      { toolName: 'ask', shape: 'text', errorRules: [], slots: [{ pointer: '/3/output' }] },
    ],
    [
      { type: 'mcp_call', id: 'b', name: 'ask', arguments: '{}', output: null, error: 'no' },
      { toolName: 'ask', shape: 'text', errorRules: ['flag'], slots: [{ pointer: '/3/error' }] },
    ],
    [
      {
        type: 'code_interpreter_call',
        id: 'b',
        code: 'print(1)',
        outputs: [{ type: 'logs', logs: '1' }],
      },
      { toolName: 'code_interpreter', shape: 'text', slots: [{ pointer: '/3/outputs/0/logs' }] },
    ],
    [
      {
        type: 'code_interpreter_call',
        id: 'b',
        outputs: [
          { type: 'logs', logs: '1' },
          { type: 'image', url: 'u' },
        ],
      },
      { toolName: 'code_interpreter', shape: 'other', slots: [] },
    ],
    [
      {
        type: 'file_search_call',
        id: 'b',
        queries: ['q'],
        results: [{ file_id: 'f', filename: 'a.md', score: 0.5, text: 'found' }],
      },
      { toolName: 'file_search', shape: 'text', slots: [{ pointer: '/3/results/0/text' }] },
    ],
    [
      { type: 'web_search_call', id: 'b', action: { type: 'search', query: 'q' } },
      { toolName: 'web_search', shape: 'other', slots: [] },
    ],
    [
      { type: 'image_generation_call', id: 'b', result: 'AAAA' },
      { toolName: 'image_generation', shape: 'other', slots: [] },
    ],
  ])('%j holds call and result', (item, expected) => {
    const { results, messages, turnCount } = read(item, said('so'), call('c'), output('c', 'x'))
    expect(results[1]).toMatchObject({ callId: 'b', turn: 1, message: 3, ...expected })
    // What the provider ran is part of the answer that goes on after it.
    expect([turnCount, messages.length]).toEqual([2, 5])
  })

  test('without an id of its item it gets one by name and order', () => {
    const hosted = { type: 'mcp_call', name: 'ask', arguments: '{}', output: 'x' }
    expect(read(hosted, ASK, hosted).results.map(({ callId }) => callId)).toEqual([
      'a',
      'ask-1',
      'ask-2',
    ])
  })

  test('a tool search without a call_id is answered by what stands after it', () => {
    const { results, turnCount } = read(
      { type: 'tool_search_call', id: 'ts', call_id: null, execution: 'server', arguments: {} },
      { type: 'tool_search_output', id: 'to', call_id: null, execution: 'server', tools: [{}] },
      call('b'),
      output('b', 'x'),
    )
    expect(turnCount).toBe(2)
    expect(results[1]).toMatchObject({ callId: 'ts', turn: 1, shape: 'other', message: 3 })
  })

  test('kinds of calls yet unknown are read by their names', () => {
    const { results } = read(
      { type: 'dig_call', call_id: 'b', arguments: '{}' },
      { type: 'dig_call_output', call_id: 'b', output: 'x' },
    )
    expect(results[1]).toMatchObject({ toolName: 'dig', turn: 1, shape: 'text' })
  })

  test('encrypted content stays, whatever is masked', () => {
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA==' }
    const text = JSON.stringify([ASK, reasoning, call('a'), output('a', 'x'), call('b')])
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    const masked = maskDocument({ text, ...readDocument(text) }, policy).text
    expect(JSON.parse(masked)[1]).toEqual(reasoning)
    expect(JSON.parse(masked)[3].output).toContain('tool_call_id=a')
  })
})

describe('what is of a wrong type gets a sentence', () => {
  const withItem = (item: unknown) => JSON.stringify({ model: 'gpt-5', input: [...ITEMS, item] })
  test.each([
    [withItem(3), 'input[3] is a number, not a message; it was left alone.', '3'],
    [withItem({ type: 'song' }), 'input[3] is an object with "type", not a message', '{"type"'],
    [
      withItem(output('a', 3)),
      'input[3].output is a number; expected a text or a list of parts.',
      '3',
    ],
    [
      withItem(output(7, 'x')),
      'input[3].call_id is a number; expected the id of a call, a text.',
      '7',
    ],
    [
      withItem(call('b', 7)),
      'input[3].name is a number; expected the name of the tool, a text.',
      '7',
    ],
    [
      withItem({ role: 'user', content: 7 }),
      'input[3].content is a number; expected a text or a list of parts.',
      '7',
    ],
    [
      withItem({ role: 'user', content: [7] }),
      'input[3].content[0] is a number; expected a part, an object with a "type".',
      '7',
    ],
    [
      withItem(output('a', [{ type: 'input_text', text: 7 }])),
      'input[3].output[0].text is a number; expected a text.',
      '7',
    ],
    [
      withItem(output('a', { rows: 7 })),
      'input[3].output is an object with "rows"; expected a text or a list of parts.',
      '{"rows"',
    ],
    [
      withItem({ type: 'shell_call_output', call_id: 'a', output: {} }),
      'input[3].output is an empty object; expected a list of outputs of commands.',
      '{}',
    ],
    [
      withItem({ type: 'mcp_call', id: 'b', name: 'ask', output: 7 }),
      'input[3].output is a number; expected a text or null.',
      '7',
    ],
    [
      withItem({ type: 'file_search_call', id: 'b', results: 'x' }),
      'input[3].results is a text; expected a list of objects with the output, or null.',
      '"x"',
    ],
    [
      linesOf(...ITEMS, output('a', 3)),
      'line 4: output is a number; expected a text or a list of parts.',
      '3',
    ],
  ])('%s', (text, sentence, at) => {
    const [[sentenceSaid, place] = [], ...more] = complaintsOf(text).said
    expect(more).toEqual([])
    expect(sentenceSaid).toContain(sentence)
    expect(place?.startsWith(at)).toBe(true)
  })

  test('a body without a list of items cannot be read', () => {
    const text = '{"instructions":"be brief","input":7}'
    expect(() => readDocument(text)).toThrow(
      new ReadError(
        'wrong_type',
        {
          path: 'input',
          found: 'a number',
          expected: 'a text or a list of items, objects with a "type" or a "role"',
        },
        text.indexOf('7'),
      ),
    )
  })

  test('a body with an empty list of items has nothing to read, and says where', () => {
    const text = '{"model":"gpt-5","instructions":"be brief","input":[]}'
    expect(complaintsOf(text).said).toEqual([
      [
        'input is a list of 0 items; expected a text or a list of items, objects with a "type" or a "role".',
        '[]}',
      ],
    ])
  })

  test('cut off, it says where', () => {
    const text = JSON.stringify({ input: ITEMS })
    const [[sentence] = []] = complaintsOf(text.slice(0, -5)).said
    expect(sentence).toContain('It looks cut off.')
  })
})

test('a list of calls in the words of other formats is no list of items', () => {
  const calls = [{ type: 'tool_call', id: 'a', name: 'read', args: {} }]
  expect(complaintsOf(JSON.stringify({ rows: [{ text: 'x', calls }] })).format).toBe('unread')
})

/** A message of chat completions as items. */
function itemsOf({ role, content, tool_calls: calls, tool_call_id: id }: ChatMessage): unknown[] {
  if (role === 'tool') return [{ type: 'function_call_output', call_id: id, output: content }]
  const message = { role: typeof role === 'string' ? role : 'user', content }
  if (!Array.isArray(calls)) return [message]
  return [
    message,
    ...calls.map((one) => {
      const { id: callId, function: called } = Object(one) as Record<string, unknown>
      const { name, arguments: written } = Object(called) as Record<string, unknown>
      return { type: 'function_call', call_id: callId, name, arguments: written }
    }),
  ]
}

test('whatever the items, masking changes the listed strings and nothing else, once', () => {
  fc.assert(
    fc.property(anyMessages, (messages) => {
      const text = JSON.stringify({
        model: 'gpt-5',
        input: [ASK, ...messages.flatMap(itemsOf), call('z')],
      })
      expectStableMasking(text, 'openai-responses')
    }),
  )
})
