import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import { expectMaskedOnly } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'
import { inEnglish } from '../../words/english'
import { readDocument } from '../read-document'

const CALL = { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } }
const RESULT = { type: 'tool_result', tool_use_id: 'a', content: 'one' }
const TURN = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'text', text: 'I read.' }, CALL] },
]
const MASK_ALL: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

function read(messages: readonly unknown[], beside: object = {}) {
  const document = readDocument(JSON.stringify({ ...beside, messages }))
  expect(document.format.id).toBe('anthropic-messages')
  const [conversation] = document.conversations
  if (conversation === undefined) throw new Error('no conversation')
  return { ...conversation, problems: document.problems }
}

describe('shapes', () => {
  const messages = [...TURN, { role: 'user', content: [RESULT] }]
  const body = { model: 'claude-sonnet-4-5', max_tokens: 1024, messages }
  const lines = (values: readonly object[]) =>
    values.map((value) => JSON.stringify(value)).join('\n')

  test.each([
    ['an array of messages', JSON.stringify(messages), 'message_array', ['messages']],
    ['a request body', JSON.stringify(body), 'request_body', ['messages']],
    ['lines of messages', lines(messages), 'message_lines', ['messages']],
    ['lines of bodies', lines([body, body]), 'body_lines', ['line 1', 'line 2']],
    [
      'bodies in a log',
      JSON.stringify([{ at: 1, request: { body } }]),
      'nested_lists',
      ['[0].request.body.messages'],
    ],
    [
      'a session file',
      JSON.stringify({ version: 1, sessionId: 's', messages, system_prompt: 'Be brief.' }),
      'session',
      ['messages'],
    ],
  ])('%s is recognised', (_, text, shape, labels) => {
    const { format, evidence, conversations } = readDocument(text)
    expect(format.id).toBe('anthropic-messages')
    expect(evidence).toMatchObject({ shape, lists: labels.length })
    expect(evidence.marks).toEqual(expect.arrayContaining(['tool_use', 'tool_result']))
    expect(conversations.map(({ label }) => inEnglish(label))).toEqual(labels)
    for (const { turnCount, results } of conversations) {
      expect([turnCount, results.map(({ turn }) => turn)]).toEqual([1, [0]])
    }
  })

  test.each([
    ['a system prompt', { system: 'Be brief.', max_tokens: 100 }],
    ['the version of the API', { anthropic_version: 'bedrock-2023-05-31' }],
    ['a tool with an input_schema', { tools: [{ name: 'read', input_schema: {} }] }],
  ])('a body without a single block is recognised by %s', (_, beside) => {
    expect(read([{ role: 'user', content: 'go' }], beside).messages.length).toBeGreaterThan(0)
  })

  test.each([
    ['chat completions', [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]],
    [
      'chat completions with a copy in blocks',
      [
        { role: 'assistant', content: [CALL], tool_calls: [{ id: 'a', function: {} }] },
        { role: 'tool', tool_call_id: 'a', content: 'one' },
      ],
    ],
    [
      'the AI SDK',
      [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', input: {} }] }],
    ],
    ['thinking in a list', [{ role: 'assistant', content: [{ type: 'thinking', thinking: [] }] }]],
  ])('%s are not recognised', (_, messages) => {
    expect(readDocument(JSON.stringify(messages)).candidates).not.toContain('anthropic-messages')
  })
})

describe('results', () => {
  test('masked text blocks after the first become a text that the API accepts, and are not read again', () => {
    const content = ['one', 'two', 'three'].map((text) => ({ type: 'text', text }))
    const next = { role: 'assistant', content: [{ ...CALL, id: 'b' }] }
    const text = JSON.stringify([
      ...TURN,
      { role: 'user', content: [{ ...RESULT, content }] },
      next,
    ])
    const masked = maskDocument({ text, ...readDocument(text) }, MASK_ALL).text
    const block = (JSON.parse(masked) as { content: { content: { text: string }[] }[] }[])[2]
      ?.content[0]
    expect(block?.content.map((part) => part.text)).toEqual([
      expect.stringContaining('tool_call_id=a'),
      '…',
      '…',
    ])
    const again = readDocument(masked)
    expect(again.conversations[0]?.resultTexts[0]).toHaveLength(1)
    expect(maskDocument({ text: masked, ...again }, MASK_ALL).text).toBe(masked)
  })
})

describe('server tools', () => {
  const SEARCH = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } }
  const FOUND = {
    type: 'web_search_tool_result',
    tool_use_id: 's',
    content: [{ type: 'web_search_result', title: 'T', encrypted_content: 'c2VjcmV0' }],
  }
  const answer = (...content: object[]) => ({ role: 'assistant', content })

  test('encrypted results are never masked', () => {
    const others = ['web_fetch', 'code_execution', 'bash_code_execution'].map((name) => ({
      type: `${name}_tool_result`,
      tool_use_id: 's',
      content: { type: `${name}_result`, stdout: 'one', encrypted_stdout: 'c2VjcmV0' },
    }))
    const text = JSON.stringify([answer(SEARCH, FOUND, ...others), answer({ ...CALL, id: 'b' })])
    const masked = maskDocument({ text, ...readDocument(text) }, MASK_ALL)
    expect(masked.text).toBe(text)
    expect(masked.decisions[0]?.map(({ reason }) => reason)).toEqual(Array(4).fill('non_text'))
  })
})

test('masking any blocks changes only the listed strings, once', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    fc.record({ type: fc.constantFrom('image', 'document'), source: fc.record({ data: text }) }),
  )
  const record = fc.record({ query: text, result: text, success: fc.boolean() })
  const content = fc.oneof(
    text,
    fc.array(block, { maxLength: 3 }),
    fc.array(record, { maxLength: 2 }),
    fc.constant(null),
  )
  const id = fc.constantFrom('a', 'b', 'c')
  const message = fc.oneof(
    fc.record({ role: fc.constant('user'), content: text }),
    fc.record({
      role: fc.constant('assistant'),
      content: fc.array(
        fc.record({ type: fc.constant('tool_use'), id, name: text, input: fc.object() }),
        { maxLength: 2 },
      ),
    }),
    fc.record({
      role: fc.constant('user'),
      content: fc.array(
        fc.record({
          type: fc.constantFrom('tool_result', 'web_search_tool_result', 'mcp_tool_result'),
          tool_use_id: id,
          content,
          is_error: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    }),
  )
  fc.assert(
    fc.property(fc.array(message), fc.boolean(), (messages, asLines) => {
      const all = [...TURN, ...messages]
      const source = asLines
        ? all.map((value) => JSON.stringify(value)).join('\n')
        : JSON.stringify(all, null, 2)
      const document = readDocument(source)
      const masked = maskDocument({ text: source, ...document }, MASK_ALL)
      expectMaskedOnly(document, masked)
      const again = readDocument(masked.text)
      expect(maskDocument({ text: masked.text, ...again }, MASK_ALL).text).toBe(masked.text)
    }),
    fuzz(100),
  )
})
