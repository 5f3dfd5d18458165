import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages, type ChatMessage, type JsonValue } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const AI = { type: 'ai', content: '', tool_calls: [{ name: 'read', args: { path: 'a' }, id: 'a' }] }
const TOOL = { type: 'tool', content: 'x', tool_call_id: 'a' }
const MESSAGES = [{ type: 'human', content: 'go' }, AI, TOOL]

const CLASSES: Readonly<Record<string, string>> = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  tool: 'ToolMessage',
  system: 'SystemMessage',
}

const serialise = ({ type, ...kwargs }: { readonly type: string }) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', CLASSES[type]],
  kwargs,
})

const store = ({ type, ...data }: { readonly type: string }) => ({ type, data })

function read(...messages: unknown[]) {
  const [conversation] = readDocument(JSON.stringify([...MESSAGES, ...messages])).conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

describe('writings', () => {
  test.each([
    ['serialised', MESSAGES.map(serialise), 'message_array', ['messages']],
    ['stored', MESSAGES.map(store), 'message_array', ['messages']],
    ['plain', MESSAGES, 'message_array', ['messages']],
    ['a thread', { values: { messages: MESSAGES }, next: [] }, 'nested_lists', ['values.messages']],
    [
      "a thread's history",
      [{ values: { messages: MESSAGES } }, { values: { messages: MESSAGES.slice(0, 2) } }],
      'nested_lists',
      ['[0].values.messages', '[1].values.messages'],
    ],
    [
      'the inputs of a traced call',
      { inputs: { messages: [MESSAGES.map(serialise)] } },
      'nested_lists',
      ['inputs.messages[0]'],
    ],
  ])('%s: one conversation a list, with where it stands', (_, value, shape, labels) => {
    const { format, evidence, conversations } = readDocument(JSON.stringify(value))
    expect([format.id, evidence.shape]).toEqual(['langchain', shape])
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    expect(conversations[0]).toMatchObject({ turnCount: 1, calls: [{ name: 'read' }] })
  })

  test('lines of messages are one conversation', () => {
    const text = MESSAGES.map((message) => JSON.stringify(store(message))).join('\n')
    const { evidence, conversations } = readDocument(text)
    expect(evidence).toEqual({
      shape: 'message_lines',
      lists: 1,
      marks: ['data', 'human', 'ai', 'tool'],
    })
    expect(conversations[0]?.results).toMatchObject([{ callId: 'a', turn: 0, shape: 'text' }])
  })

  test('roles have the names of chat completions, chunks and chat messages too', () => {
    const { messages } = read(
      { type: 'AIMessageChunk', content: 'streamed', tool_call_chunks: [] },
      { type: 'chat', role: 'critic', content: 'no' },
      { type: 'developer', content: 'be brief' },
    )
    expect(messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'critic', 'developer'],
    ])
  })
})

describe('what repeats a conversation', () => {
  const SEEN = 'what the tool saw, a long line'
  const FIRST = [
    { type: 'human', content: 'go', id: 'h' },
    { ...AI, id: 'm1' },
    { ...TOOL, content: SEEN },
  ]
  const SECOND = [
    { type: 'ai', content: '', id: 'm2', tool_calls: [{ name: 'read', args: {}, id: 'b' }] },
    { type: 'tool', content: `${SEEN} again`, tool_call_id: 'b', id: 't2' },
  ]
  const state = (messages: unknown[], written: unknown) => ({
    values: { messages },
    tasks: [{ name: 'tools', result: { messages: [written] } }],
    metadata: { writes: { tools: { messages: [written] } } },
  })

  test('what a node wrote is no conversation beside the state that has it, and masked with it', () => {
    const all = [...FIRST, ...SECOND]
    const history = [state(all, SECOND[1]), state(FIRST, FIRST[2])]
    const text = JSON.stringify([
      ...history,
      { values: {}, metadata: { writes: { __start__: { messages: FIRST.slice(0, 1) } } } },
    ])
    const { conversations, evidence } = readDocument(text)
    expect(evidence.lists).toBe(2)
    expect(conversations.map(({ label }) => label)).toEqual([
      '[0].values.messages',
      '[1].values.messages',
    ])
    expect(
      conversations.map(({ results }) =>
        results.map(({ slots }) => slots.map(({ pointer }) => pointer.split('/')[1])),
      ),
    ).toEqual([[['0'], ['0', '0', '0']], [['1', '1', '1']]])
    expectStableMasking(text, 'langchain')
  })

  test('updates of a stream are one conversation', () => {
    const lines = [FIRST.slice(0, 1), FIRST.slice(1, 2), FIRST.slice(2), ...SECOND.map((m) => [m])]
    const text = lines
      .map((messages) => JSON.stringify({ event: 'updates', data: { node: { messages } } }))
      .join('\n')
    expect(readDocument(text).conversations).toMatchObject([
      { label: 'messages', turnCount: 2, results: [{ turn: 0 }, { turn: 1 }] },
    ])
    expectStableMasking(text, 'langchain')
    const states = [FIRST, [...FIRST, ...SECOND]].map((messages) => JSON.stringify({ messages }))
    expect(readDocument(states.join('\n')).conversations).toHaveLength(2)
  })

  test('the run of a tool gave what its message says', () => {
    const run = { name: 'read', run_type: 'tool', outputs: { output: FIRST[2] } }
    const text = JSON.stringify({ outputs: { messages: [...FIRST, ...SECOND] }, child_runs: [run] })
    expect(readDocument(text).conversations[0]?.results.map(({ twins }) => twins)).toEqual([1, 0])
    expectStableMasking(text, 'langchain')
  })

  test('an artifact is masked where it repeats lines of the result, and so is its value', () => {
    const artifact = {
      documents: [{ page_content: `${SEEN}\nmore`, metadata: { source: 'a' } }],
      structured_content: { answer: 'yes', count: 1, none: '' },
    }
    const result = { ...TOOL, content: `Source: a\n${SEEN}`, artifact }
    const messages = [...MESSAGES.slice(0, 2), result, ...SECOND]
    for (const written of [messages, messages.map(serialise), messages.map(store)]) {
      const [conversation] = readDocument(JSON.stringify(written)).conversations
      expect(conversation?.results[0]?.twins).toBe(2)
      expectStableMasking(JSON.stringify(written), 'langchain')
    }
  })
})

describe('rows of a chat history', () => {
  const rows = MESSAGES.map((message, id) => ({ id, session_id: 's', message }))

  test.each([
    ['plain messages', rows],
    ['stored messages', rows.map((row, at) => ({ ...row, message: store(MESSAGES[at] ?? TOOL) }))],
    [
      'JSON in strings',
      MESSAGES.map((message) => ({ SessionId: 's', History: JSON.stringify(store(message)) })),
    ],
  ])('%s are one conversation', (_, value) => {
    for (const text of [
      JSON.stringify(value),
      value.map((row) => JSON.stringify(row)).join('\n'),
    ]) {
      const { format, conversations, problems } = readDocument(text)
      expect([format.id, problems]).toEqual(['langchain', []])
      expect(conversations).toMatchObject([
        { label: 'messages', turnCount: 1, results: [{ turn: 0, shape: 'text' }] },
      ])
      expectStableMasking(text, 'langchain')
    }
  })

  test('each session is one, and a row without a message is named', () => {
    const more = rows.map((row) => ({ ...row, session_id: 't' }))
    const { conversations, problems } = readDocument(
      JSON.stringify([...rows, ...more, { session_id: 't', message: { type: 'odd' } }]),
    )
    expect(conversations.map(({ label }) => label)).toEqual(['messages, s', 'messages, t'])
    expect(problems).toMatchObject([{ code: 'skipped_message', values: { path: '[6]' } }])
  })
})

describe('messages as LangChain writes them', () => {
  test('a call whose arguments did not parse is a call', () => {
    const invalid = [{ name: 'edit', args: '{"a', id: 'b', error: 'cut' }]
    const { calls, results, turnCount } = read(
      { type: 'ai', content: '', tool_calls: [], invalid_tool_calls: invalid },
      { type: 'tool', content: 'not JSON', tool_call_id: 'b', status: 'error' },
    )
    expect(turnCount).toBe(2)
    expect(calls[1]).toMatchObject({ name: 'edit', argumentsPreview: '{"a' })
    expect(results[1]).toMatchObject({ turn: 1, toolName: 'edit', errorRules: ['flag'] })
  })

  test('calls kept as the provider wrote them count where there are no others', () => {
    const kept = { tool_calls: [{ id: 'b', function: { name: 'search', arguments: '{}' } }] }
    const old = read({ type: 'ai', content: '', additional_kwargs: kept })
    expect(old.calls[1]).toMatchObject({ name: 'search', id: 'b', turn: 1 })
    expect(read({ ...AI, additional_kwargs: kept }).calls.map(({ id }) => id)).toEqual(['a', 'a'])
  })

  test('blocks that repeat calls are no parts of their own, thinking is shown, images are not text', () => {
    const { messages } = read({
      ...AI,
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'so' }] },
        'plain',
        { type: 'text', text: 'and a block' },
        { type: 'tool_use', id: 'a', name: 'read', input: {} },
        { type: 'image_url', image_url: 'data:' },
      ],
    })
    const last = messages.at(-1)
    expect([last?.contents.length, last?.reasoning.length, last?.nonTextParts]).toEqual([2, 2, 1])
  })

  test('a list of texts is text parts, with an image or without anything it is no text', () => {
    const results = [
      ['a', { type: 'text', text: 'b' }],
      [{ type: 'text', text: 'b' }, { type: 'image' }],
      [],
      null,
    ].map((content) => read({ ...TOOL, content }).results[1])
    expect(results.map((result) => [result?.shape, result?.slots.length])).toEqual([
      ['text_parts', 2],
      ['other', 0],
      ['other', 0],
      ['other', 0],
    ])
  })

  test('the model is the last one that answered', () => {
    const answer = (name: object) => ({ type: 'ai', content: 'x', response_metadata: name })
    expect(read(answer({ model_name: 'gpt-5' }), answer({ model: 'opus' })).model).toBe('opus')
    expect(read().model).toBeUndefined()
  })

  test("what is taken out of a thread's state is no message and no complaint", () => {
    const text = JSON.stringify([...MESSAGES, { type: 'remove', content: '', id: 'm1' }])
    expect(readDocument(text)).toMatchObject({ problems: [], conversations: [{ turnCount: 1 }] })
  })
})

describe('what is of the wrong type', () => {
  test.each([
    [
      'content',
      [MESSAGES[0], { type: 'ai', content: 7 }],
      '[1].content is a number; expected a text or a list of blocks.',
      '7}',
    ],
    [
      'calls',
      [{ ...AI, tool_calls: 'none' }],
      '[0].tool_calls is a text; expected a list of calls.',
      '"none"}',
    ],
    [
      'the id of a call',
      [AI, { ...TOOL, tool_call_id: 7 }],
      '[1].tool_call_id is a number; expected a text, the id of the call it answers.',
      '7}',
    ],
    [
      'fields of a serialised message',
      [...MESSAGES.map(serialise), { ...serialise(AI), kwargs: [] }],
      "[3].kwargs is a list of 0 items; expected an object, the message's fields.",
      '[]}',
    ],
    [
      'fields of a stored message',
      { runs: [[...MESSAGES.map(store), { type: 'ai', data: null }]] },
      "runs[0][3].data is null; expected an object, the message's fields.",
      'null}',
    ],
    [
      'a message',
      { values: { messages: [...MESSAGES, 'text'] } },
      'values.messages[3] is a text, not a message; it was left alone.',
      '"text"]',
    ],
  ])('%s: a sentence with its place', (_, value, sentence, at) => {
    const { format, said } = complaintsOf(JSON.stringify(value))
    expect(format).toBe('langchain')
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })

  test('cut off, the place is the end', () => {
    for (const value of [MESSAGES.map(serialise), MESSAGES.map(store), MESSAGES]) {
      const text = JSON.stringify(value).slice(0, -20)
      expect(complaintsOf(text)).toMatchObject({ format: 'unread', said: [[/looks cut off/, '']] })
    }
  })
})

test.each([
  ['chat completions', [{ role: 'user', type: 'human', content: 'x' }]],
  ['a log of entries', { messages: [{ type: 'system', content: 'x' }] }],
  ['blocks', { messages: [{ type: 'tool', content: 'x' }] }],
])('%s are not taken for it', (_, value) => {
  expect(complaintsOf(JSON.stringify(value)).format).not.toBe('langchain')
})

const TYPES: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai', tool: 'tool' }

function fromChat({ role, tool_calls: calls, ...rest }: ChatMessage) {
  const type = TYPES[role as string] ?? 'system'
  if (!Array.isArray(calls)) return { ...rest, type, content: rest.content ?? '' }
  const args = (call: { function?: { name: JsonValue } } | null) =>
    typeof call?.function === 'object' ? { ...call, ...call.function, args: {} } : call
  return { ...rest, type, content: rest.content ?? '', tool_calls: calls.map(args) }
}

test('any conversation is masked at its results only, and stays as it is when masked again', () => {
  const anyWriting = fc.constantFrom<(message: never) => object>(
    (message) => message,
    serialise,
    store,
  )
  fc.assert(
    fc.property(anyMessages, anyWriting, (messages, write) => {
      const value = messages.map((message) => write(fromChat(message) as never))
      expectStableMasking(JSON.stringify({ values: { messages: value } }), 'langchain')
    }),
  )
})
