import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeProblem, ReadError } from '../problem'
import { turnOf } from '../testing/conversation-of'
import { anyDocument, parseText } from '../testing/documents'
import { readDocument } from './read-document'

const MESSAGES = [{ role: 'user', content: 'go' }, ...turnOf('a', 'x')]
const LIST = JSON.stringify(MESSAGES)
const LINES = MESSAGES.map((message) => JSON.stringify(message)).join('\n')

function errorOf(text: string): ReadError {
  try {
    readDocument(text)
  } catch (error) {
    if (error instanceof ReadError) return error
    throw error
  }
  throw new Error('it was read')
}

describe('a document, whatever its shape', () => {
  test('gives the conversations that stand in it', () => {
    fc.assert(
      fc.property(anyDocument, ({ text, layout, listsOf }) => {
        const { conversations, source } = readDocument(text)
        expect(source.layout).toBe(layout)
        const lists = listsOf(parseText(text, layout))
        const isMessage = (value: unknown) =>
          typeof (value as { role?: unknown } | null)?.role === 'string'
        expect(conversations.map(({ messages }) => messages.map(({ role }) => role))).toEqual(
          lists.map((list) =>
            list.filter(isMessage).map((message) => (message as { role: string }).role),
          ),
        )
      }),
    )
  })

  test('has its messages where it says', () => {
    fc.assert(
      fc.property(anyDocument, ({ text }) => {
        for (const { messages } of readDocument(text).conversations) {
          for (const { start, end, role } of messages) {
            expect(JSON.parse(text.slice(start, end))).toMatchObject({ role })
          }
        }
      }),
    )
  })

  test('cut anywhere is read as lines, or refused with a place in it', () => {
    fc.assert(
      fc.property(anyDocument, fc.nat(), ({ text }, at) => {
        const cut = text.slice(0, at % text.length)
        try {
          expect(readDocument(cut).conversations.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ReadError)
          const { offset } = (error as ReadError).problem
          expect(offset).toBeLessThanOrEqual(cut.length)
        }
      }),
    )
  })
})

describe('shapes', () => {
  test.each([
    ['a message array', LIST, 'message_array', ['messages']],
    ['a request body', `{"model":"gpt-5","messages":${LIST}}`, 'request_body', ['messages']],
    ['lines of messages', LINES, 'message_lines', ['messages']],
    [
      'lines of bodies',
      `{"messages":${LIST}}\n\n{"messages":${LIST}}`,
      'body_lines',
      ['line 1', 'line 3'],
    ],
    ['lines of arrays', `${LIST}\n${LIST}`, 'nested_lists', ['line 1', 'line 2']],
    [
      'a list of runs',
      `{"runs":[{"traj":${LIST}},{"traj":${LIST}}]}`,
      'nested_lists',
      ['runs[0].traj', 'runs[1].traj'],
    ],
    [
      'runs on lines',
      `{"run":{"traj":${LIST}}}\n{"run":{"traj":${LIST}}}`,
      'nested_lists',
      ['line 1, run.traj', 'line 2, run.traj'],
    ],
  ])('%s is recognised, and says where its conversations stand', (_, text, shape, labels) => {
    const { evidence, conversations } = readDocument(text)
    expect(evidence).toMatchObject({ shape, lists: labels.length })
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    for (const { turnCount } of conversations) expect(turnCount).toBe(1)
  })

  test('the model and the tool schemas are those beside the messages', () => {
    const tools = [{ type: 'function', function: { name: 'read' } }]
    const [conversation] = readDocument(
      JSON.stringify({ tools, messages: MESSAGES, model: 'gpt-5' }),
    ).conversations
    expect(conversation).toMatchObject({
      model: 'gpt-5',
      toolSchemas: JSON.stringify(tools),
      opening: 'go',
    })
    expect(readDocument(LIST).conversations[0]).toMatchObject({ model: undefined, toolSchemas: '' })
  })
})

describe('messages as clients write them', () => {
  const read = (...messages: unknown[]) => {
    const [conversation] = readDocument(JSON.stringify([...MESSAGES, ...messages])).conversations
    if (conversation === undefined) throw new Error('no conversation')
    return conversation
  }

  test('tool_calls may be null, absent, or no list', () => {
    const { turnCount, calls } = read(
      { role: 'assistant', content: 'x', tool_calls: null },
      { role: 'assistant', content: 'x' },
      { role: 'assistant', content: 'x', tool_calls: {} },
      { role: 'assistant', content: 'x', tool_calls: [null, 'a'] },
    )
    expect([turnCount, calls.length]).toEqual([1, 1])
  })

  test('a call without a usable id opens no turn', () => {
    const { turnCount, calls } = read(
      ...[undefined, null, '', 7].map((id) => ({
        role: 'assistant',
        tool_calls: [{ id, function: { name: 'read' } }],
      })),
    )
    expect(turnCount).toBe(1)
    expect(calls.slice(1).map(({ id, turn }) => [id, turn])).toEqual(
      Array(4).fill([undefined, undefined]),
    )
  })

  test('arguments may be an object, and a function may be its bare name', () => {
    const { messageTexts } = read({
      role: 'assistant',
      tool_calls: [
        { id: 'b', function: { name: 'read', arguments: { a: 1 } } },
        { id: 'c', function: 'list', arguments: 'x' },
      ],
    })
    expect(messageTexts.at(-1)?.calls).toEqual([
      { name: 'read', arguments: '{"a":1}' },
      { name: 'list', arguments: 'x' },
    ])
  })

  test('a custom tool has its name and what it was given', () => {
    const { messageTexts, calls } = read({
      role: 'assistant',
      tool_calls: [{ id: 'b', type: 'custom', custom: { name: 'code', input: 'print(1)' } }],
    })
    expect(messageTexts.at(-1)?.calls).toEqual([{ name: 'code', arguments: 'print(1)' }])
    expect(calls.at(-1)).toMatchObject({ name: 'code', argumentsAt: { encoded: 0 } })
  })

  test('only a message of role tool holds a result', () => {
    const { results } = read(
      { role: 'user', tool_call_id: 'a', content: 'x' },
      { role: 'function', name: 'read', content: 'x' },
      { role: '_usage', tool_call_id: 'a', token_count: 3 },
      { role: 'Tool', tool_call_id: 'a', content: 'x' },
    )
    expect(results).toHaveLength(1)
  })

  test('contents that are no text count their parts and have no slot', () => {
    const { messages, results } = read(
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [{ type: 'text', text: 'x' }, { type: 'image_url' }, {}],
      },
      { role: 'tool', tool_call_id: 'a', content: null },
      { role: 'tool', tool_call_id: 'a' },
    )
    expect(messages.slice(-3).map(({ nonTextParts }) => nonTextParts)).toEqual([2, 0, 0])
    expect(results.slice(-3).map(({ shape, slots }) => [shape, slots])).toEqual(
      Array(3).fill(['other', []]),
    )
  })

  test('things that are no messages are left alone and listed with their place', () => {
    const text = `{"messages":[${LIST.slice(1, -1)},null,{"content":"x"}]}`
    const { conversations, problems } = readDocument(text)
    expect(conversations[0]?.messages).toHaveLength(MESSAGES.length)
    expect(problems).toEqual([
      {
        code: 'skipped_message',
        values: { path: 'messages[3]', found: 'null' },
        offset: text.indexOf('null,{'),
      },
      {
        code: 'skipped_message',
        values: { path: 'messages[4]', found: 'an object with "content"' },
        offset: text.indexOf('{"content":"x"}'),
      },
    ])
  })
})

describe('what cannot be read', () => {
  test.each([
    ['', 'There is nothing here yet'],
    [' \r\n\ufeff', 'There is nothing here yet'],
    ['{"a": 1}', 'This is JSON (an object with "a"), but no conversation'],
    ['[]', 'This is JSON (a list of 0 items), but no conversation'],
    ['"text"', 'This is JSON (a text), but no conversation'],
    ['{"a":1}\n{"b":2}', 'These are 2 lines of JSON, but no conversation'],
    ['{"messages": "none"}', 'messages is a text; expected a list of messages'],
    ['{"messages": [1, 2]}', 'messages is a list of 2 items; expected a list of messages'],
    ['hello', 'Line 1, column 1: found hello; expected a value.'],
  ])('%j gets a sentence', (text, sentence) => {
    expect(errorOf(text).message).toContain(sentence)
  })

  test('a value of the wrong type is an error at its place', () => {
    expect(errorOf('{"x":1,"messages": 3}').problem).toMatchObject({
      code: 'wrong_type',
      offset: 19,
    })
  })

  test.each([
    [
      { role: 'user', content: 7 },
      'content is a number; expected a text, a list of parts or null.',
    ],
    [{ role: 'user', content: [7] }, 'content[0] is a number; expected a part, an object with a'],
    [
      { role: 'user', content: [{ toolResult: { content: [] } }] },
      'content[0] is an object with "toolResult"; expected a part, an object with a "type".',
    ],
    [
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: null }] },
      'content[0].text is null; expected a text.',
    ],
    [
      { role: 'tool', tool_call_id: 7, content: 'x' },
      'tool_call_id is a number; expected the id of a call, a text.',
    ],
    [{ role: 'assistant', tool_calls: {} }, 'tool_calls is an empty object; expected a list of'],
    [
      { role: 'assistant', tool_calls: ['a'] },
      'tool_calls[0] is a text; expected a call, an object with an "id" and a "function".',
    ],
    [
      { role: 'assistant', tool_calls: [{ id: 7, function: { name: 'read' } }] },
      'tool_calls[0].id is a number; expected the id of the call, a text.',
    ],
  ])('%j is read but for what is wrong in it', (message, sentence) => {
    const text = JSON.stringify({ messages: [...MESSAGES, message] })
    const { conversations, problems } = readDocument(text)
    expect(conversations[0]?.messages).toHaveLength(MESSAGES.length + 1)
    expect(problems).toHaveLength(1)
    const [problem] = problems
    expect(problem && describeProblem(problem)).toContain(`messages[3].${sentence}`)
    expect(problem?.offset).toBeGreaterThanOrEqual(text.indexOf(JSON.stringify(message)))
  })

  test('a bad line among good ones is a problem, and the rest is read', () => {
    const text = `${LINES}\n{"role": "user", content}\n${LINES}`
    const { conversations, problems } = readDocument(text)
    expect(conversations[0]?.messages).toHaveLength(6)
    expect(problems).toMatchObject([
      { code: 'bad_line', values: { line: 4 }, offset: text.indexOf('content}') },
    ])
  })

  test('20,000 nested arrays get a sentence', () => {
    expect(errorOf('['.repeat(20_000)).problem.code).toBe('too_deep')
    expect(errorOf(`{"messages":${'['.repeat(20_000)}${']'.repeat(20_000)}}`).problem.code).toBe(
      'too_deep',
    )
  })
})

test('a single message alone is a conversation of one', () => {
  const { conversations, evidence } = readDocument('{"role":"user","content":"hello"}')
  expect(evidence.shape).toBe('message_lines')
  expect(conversations[0]?.messages).toHaveLength(1)
})
