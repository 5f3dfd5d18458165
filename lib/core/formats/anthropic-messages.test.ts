import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { ReadError } from '../problem'
import { expectMaskedOnly } from '../testing/expect-masked'
import { readDocument } from './read-document'

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

/** The result made of a block that answers the call, a later turn being there. */
function resultOf(block: object) {
  const { results, messages } = read([...TURN, { role: 'user', content: [block] }])
  const [result] = results
  if (result === undefined) throw new Error('no result')
  return { ...result, nonTextParts: messages[2]?.nonTextParts }
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
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    for (const { turnCount, results } of conversations) {
      expect([turnCount, results.map(({ turn }) => turn)]).toEqual([1, [0]])
    }
  })

  test('answers, one a line, are messages', () => {
    const answer = { type: 'message', role: 'assistant', model: 'claude-opus-4-5', content: [CALL] }
    const { format, conversations } = readDocument(lines([answer, answer]))
    expect(format.id).toBe('anthropic-messages')
    expect(conversations[0]).toMatchObject({ model: 'claude-opus-4-5', turnCount: 2 })
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
      'chat completions that keep a copy in blocks',
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
  ])('%s are not claimed', (_, messages) => {
    expect(readDocument(JSON.stringify(messages)).candidates).not.toContain('anthropic-messages')
  })
})

describe('what is sent', () => {
  test.each([
    ['a text', 'Be brief.', ['Be brief.']],
    [
      'blocks',
      [
        { type: 'text', text: 'Be' },
        { type: 'text', text: 'brief.' },
      ],
      ['Be', 'brief.'],
    ],
  ])('the system prompt as %s is a message of its own', (_, system, contents) => {
    const { messages, messageTexts } = read(TURN, { system })
    expect(messages[0]?.role).toBe('system')
    expect(messageTexts[0]?.contents).toEqual(contents)
  })

  test('thinking is shown and not counted; what is encrypted is neither', () => {
    const { messages, messageTexts } = read([
      ...TURN,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'ZGF0YQ==' },
        ],
      },
    ])
    expect(messages[2]).toMatchObject({ nonTextParts: 0, chars: 0 })
    expect(messages[2]?.reasoning).toHaveLength(1)
    expect(messageTexts[2]?.contents).toEqual([])
  })

  test('documents and search results count by their texts, images are no text', () => {
    const { messages, messageTexts } = read([
      ...TURN,
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'one' } },
          {
            type: 'search_result',
            source: 'https://example.org',
            content: [{ type: 'text', text: 'two' }],
          },
          { type: 'image', source: { type: 'base64', data: 'aGk=' } },
          { type: 'document', source: { type: 'url', url: 'https://example.org' } },
        ],
      },
    ])
    expect(messageTexts[2]?.contents).toEqual(['one', 'two'])
    expect(messages[2]?.nonTextParts).toBe(2)
  })
})

describe('results', () => {
  test.each([
    ['a string', 'one', 'text', 3, 0],
    ['an empty string', '', 'text', 0, 0],
    [
      'text blocks',
      [
        { type: 'text', text: 'on' },
        { type: 'text', text: 'e' },
      ],
      'text',
      3,
      0,
    ],
    ['an image', [{ type: 'image', source: {} }], 'other', 0, 1],
    ['text and an image', [{ type: 'text', text: 'one' }, { type: 'image' }], 'other', 0, 1],
    ['no blocks', [], 'other', 0, 0],
    ['records', [{ query: 'a', result: 'one', success: true }], 'text', 4, 0],
    ['records that hold an image', [{ result: { type: 'image', data: 'aGk=' } }], 'other', 0, 1],
  ])('%s', (_, content, shape, chars, nonTextParts) => {
    expect(resultOf({ ...RESULT, content })).toMatchObject({ shape, chars, nonTextParts })
  })

  test('without a content is no text', () => {
    expect(resultOf({ type: 'tool_result', tool_use_id: 'a' }).shape).toBe('other')
  })

  test('an error is what the format flags', () => {
    expect(resultOf({ ...RESULT, is_error: true }).errorRules).toEqual(['flag'])
    expect(resultOf({ ...RESULT, is_error: false }).errorRules).toEqual([])
    expect(resultOf({ ...RESULT, content: [{ query: 'a', success: false }] }).errorRules).toEqual([
      'flag',
    ])
  })

  test('of one turn stand in one message, each by itself', () => {
    const { results, turnCount } = read([
      { role: 'assistant', content: [CALL, { ...CALL, id: 'b', name: 'list' }] },
      { role: 'user', content: [{ ...RESULT, tool_use_id: 'b' }, RESULT] },
    ])
    expect(turnCount).toBe(1)
    expect(results.map(({ toolName, message }) => [toolName, message])).toEqual([
      ['list', 1],
      ['read', 1],
    ])
  })

  test('masked, later texts become a text the API takes, and are none when read again', () => {
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

  test('their calls and results are those of one message, the results kept as they stand', () => {
    const { results, calls, turnCount, messages } = read([answer(SEARCH, FOUND)])
    expect([turnCount, calls.length]).toEqual([1, 1])
    expect(results[0]).toMatchObject({ shape: 'other', slots: [], turn: 0, toolName: 'web_search' })
    expect(messages[0]?.nonTextParts).toBe(1)
  })

  test('nothing encrypted is ever masked', () => {
    const kin = ['web_fetch', 'code_execution', 'bash_code_execution'].map((name) => ({
      type: `${name}_tool_result`,
      tool_use_id: 's',
      content: { type: `${name}_result`, stdout: 'one', encrypted_stdout: 'c2VjcmV0' },
    }))
    const text = JSON.stringify([answer(SEARCH, FOUND, ...kin), answer({ ...CALL, id: 'b' })])
    const masked = maskDocument({ text, ...readDocument(text) }, MASK_ALL)
    expect(masked.text).toBe(text)
    expect(masked.decisions[0]?.map(({ reason }) => reason)).toEqual(Array(4).fill('non_text'))
  })

  test('an error is told by its type', () => {
    const content = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
    const { results } = read([answer(SEARCH, { ...FOUND, content })])
    expect(results[0]?.errorRules).toEqual(['flag'])
  })

  test('what an MCP server answers is text', () => {
    const { results } = read([
      answer(
        { type: 'mcp_tool_use', id: 'm', name: 'find', server_name: 'docs', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'm', content: [{ type: 'text', text: 'one' }] },
      ),
    ])
    expect(results[0]).toMatchObject({ shape: 'text', chars: 3, toolName: 'find' })
  })
})

describe('what is not as it should be', () => {
  const sentenceOf = (text: string) => {
    try {
      const { problems, source } = readDocument(text)
      expect(problems).toHaveLength(1)
      const [problem] = problems
      if (problem === undefined) throw new Error('no problem')
      const { code, values, offset = -1 } = problem
      expect(code).toBe('wrong_type')
      const { path, found, expected } = values
      return [`${path} is ${found}; expected ${expected}.`, source.text.slice(offset, offset + 4)]
    } catch (error) {
      if (!(error instanceof ReadError)) throw error
      return [error.message, text.slice(error.problem.offset, (error.problem.offset ?? 0) + 4)]
    }
  }
  const withBlock = (block: unknown) =>
    JSON.stringify([...TURN, { role: 'user', content: [RESULT, block] }])

  test.each([
    [
      JSON.stringify([...TURN, { role: 'user', content: 42 }]),
      '[2].content is a number; expected a text or a list of content blocks.',
      '42}]',
    ],
    [
      JSON.stringify([...TURN, { role: 'user' }]),
      '[2].content is missing; expected a text or a list of content blocks.',
      '{"ro',
    ],
    [
      withBlock('one'),
      '[2].content[1] is a text; expected a content block, an object with a "type".',
      '"one',
    ],
    [
      withBlock({ text: 'one' }),
      '[2].content[1] is an object with "text"; expected a content block, an object with a "type".',
      '{"te',
    ],
    [
      withBlock({ type: 'text', text: null }),
      '[2].content[1].text is null; expected a text.',
      'null',
    ],
    [
      withBlock({ type: 'tool_result', content: 'one' }),
      '[2].content[1].tool_use_id is missing; expected the id of a call.',
      '{"ty',
    ],
    [
      withBlock({ type: 'tool_result', tool_use_id: 'a', content: 7.5 }),
      '[2].content[1].content is a number; expected a text or a list of content blocks.',
      '7.5}',
    ],
    [
      withBlock({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 1.25 }] }),
      '[2].content[1].content[0].text is a number; expected a text.',
      '1.25',
    ],
    [
      withBlock({ type: 'tool_result', tool_use_id: 'a', content: ['one'] }),
      '[2].content[1].content[0] is a text; expected a content block, an object with a "type".',
      '"one',
    ],
    [
      withBlock({ type: 'tool_use', id: 3.25, name: 'read', input: {} }),
      '[2].content[1].id is a number; expected an id.',
      '3.25',
    ],
    [
      '{"anthropic_version":"bedrock-2023-05-31","messages":"none"}',
      'messages is a text; expected a list of messages, objects with a "role".',
      '"non',
    ],
    [
      '{"system":"x","max_tokens":3,"messages":[1,2]}',
      'messages is a list of 2 items; expected a list of messages, objects with a "role".',
      '[1,2',
    ],
  ])('%s', (text, sentence, at) => {
    expect(sentenceOf(text)).toEqual([sentence, at])
  })

  test('a line is named with its path', () => {
    const lines = [...TURN, { role: 'user', content: 42 }].map((line) => JSON.stringify(line))
    expect(sentenceOf(lines.join('\n'))[0]).toMatch(/^line 3: content is a number/)
  })

  test('things that are no messages are left alone and listed', () => {
    const { problems, messages } = read([...TURN, null, 'x'])
    expect(messages).toHaveLength(2)
    expect(problems.map(({ code, values }) => [code, values.path])).toEqual([
      ['skipped_message', 'messages[2]'],
      ['skipped_message', 'messages[3]'],
    ])
  })

  test('cut off, it says inside what', () => {
    const text = withBlock(RESULT)
    expect(() => readDocument(text.slice(0, -20))).toThrow(/It looks cut off/)
  })
})

test('whatever the blocks, masking changes the listed strings and nothing else, once', () => {
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
  )
})
