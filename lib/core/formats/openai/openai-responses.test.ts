import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY } from '../../policy/policy'
import { ReadError } from '../../problem'
import { anyMessages, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

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
const answer = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const ITEMS = [ASK, call('a'), output('a', 'x')]
const linesOf = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')

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
        { request: BODY, response: { object: 'response', output: [answer('x'), call('b')] } },
        { request: BODY },
      ]),
      'nested_lists',
      ['[0].request.input', '[1].request.input'],
    ],
  ])('%s: each list is a conversation named by its position', (_, text, shape, labels) => {
    const { format, evidence, conversations } = readDocument(text)
    expect([format.id, evidence.shape]).toEqual(['openai-responses', shape])
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    for (const { turnCount, calls, results } of conversations) {
      expect(turnCount).toBe(1)
      expect(calls).toMatchObject([{ id: 'a', name: 'read', argumentsPreview: '{"path":"a"}' }])
      expect(results).toMatchObject([{ callId: 'a', turn: 0, shape: 'text', chars: 1 }])
    }
  })

  test('instructions are a system message, and a text as input is a user message', () => {
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

  test.each([
    ['chat completions', { model: 'gpt-5', messages: [ASK] }],
    ['a dataset of chats', { input: [ASK, { role: 'assistant', content: 'x' }], target: 'x' }],
    ['a logged chat', { model: 'm', input: [ASK, { role: 'tool', tool_call_id: 'a' }] }],
    ['a request for embeddings', { model: 'e', input: 'text', encoding_format: 'float' }],
    [
      'other objects with types',
      [
        { type: 'message', text: 'x' },
        { type: 'reasoning', level: 3 },
      ],
    ],
    [
      'calls of other programs',
      [{ type: 'phone_call', to: 'x' }, { type: 'llm_call', model: 'm' }, { type: 'tool_call' }],
    ],
    ['outputs of other programs', { cells: [{ type: 'stream_output', output: 'x' }] }],
    [
      'reasoning of other programs',
      [
        { type: 'reasoning', summary: 'x' },
        { type: 'compaction', at: 1 },
      ],
    ],
  ])('%s are not recognised', (_, value) => {
    const claimed = () => readDocument(JSON.stringify(value), { format: 'openai-responses' })
    expect(claimed).toThrow('not OpenAI Responses')
  })
})

describe('tools the provider runs', () => {
  test('encrypted content is never masked', () => {
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA==' }
    const text = JSON.stringify([ASK, reasoning, call('a'), output('a', 'x'), call('b')])
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    const masked = maskDocument({ text, ...readDocument(text) }, policy).text
    expect(JSON.parse(masked)[1]).toEqual(reasoning)
    expect(JSON.parse(masked)[3].output).toContain('tool_call_id=a')
  })
})

describe('values of a wrong type', () => {
  const withItem = (item: unknown) => JSON.stringify({ model: 'gpt-5', input: [...ITEMS, item] })
  test.each([
    [withItem(3), 'input[3] is a number, not a message; it was skipped.', '3'],
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
    const [[found, place] = [], ...more] = problemsOf(text).problems
    expect(more).toEqual([])
    expect(found).toContain(sentence)
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

  test('a body with an empty list of items is refused with its offset', () => {
    const text = '{"model":"gpt-5","instructions":"be brief","input":[]}'
    expect(problemsOf(text).problems).toEqual([
      [
        'input is an empty list; expected a text or a list of items, objects with a "type" or a "role".',
        '[]}',
      ],
    ])
  })

  test('a document that is cut off', () => {
    const text = JSON.stringify({ input: ITEMS })
    const [[sentence] = []] = problemsOf(text.slice(0, -5)).problems
    expect(sentence).toContain('It looks cut off.')
  })
})

test('calls of another format are not items', () => {
  const calls = [{ type: 'tool_call', id: 'a', name: 'read', args: {} }]
  expect(problemsOf(JSON.stringify({ rows: [{ text: 'x', calls }] })).format).toBe('unread')
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

test('masking any items changes only the listed strings, once', () => {
  fc.assert(
    fc.property(anyMessages, (messages) => {
      const text = JSON.stringify({
        model: 'gpt-5',
        input: [ASK, ...messages.flatMap(itemsOf), call('z')],
      })
      expectStableMasking(text, 'openai-responses')
    }),
    fuzz(100),
  )
})
