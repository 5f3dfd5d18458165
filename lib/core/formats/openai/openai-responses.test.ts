import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY } from '../../policy/policy'
import { anyMessages, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { sentenceThrownBy } from '../../testing/spoken'
import { fuzz } from '../../testing/test-size'
import { inEnglish } from '../../words/english'
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
    expect(conversations.map(({ label }) => inEnglish(label))).toEqual(labels)
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
    expect(sentenceThrownBy(claimed)).toMatch('not OpenAI Responses')
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
