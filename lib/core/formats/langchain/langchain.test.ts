import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages, type ChatMessage, type JsonValue } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

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

describe('shapes', () => {
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
  ])('%s: each list is a conversation, labelled with its path', (_, value, shape, labels) => {
    const { format, evidence, conversations } = readDocument(JSON.stringify(value))
    expect([format.id, evidence.shape]).toEqual(['langchain', shape])
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    expect(conversations[0]).toMatchObject({ turnCount: 1, calls: [{ name: 'read' }] })
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
})

test.each([
  ['chat completions', [{ role: 'user', type: 'human', content: 'x' }]],
  ['a log of entries', { messages: [{ type: 'system', content: 'x' }] }],
  ['blocks', { messages: [{ type: 'tool', content: 'x' }] }],
])('%s are not read as LangChain', (_, value) => {
  expect(problemsOf(JSON.stringify(value)).format).not.toBe('langchain')
})

const TYPES: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai', tool: 'tool' }

function fromChat({ role, tool_calls: calls, ...rest }: ChatMessage) {
  const type = TYPES[role as string] ?? 'system'
  if (!Array.isArray(calls)) return { ...rest, type, content: rest.content ?? '' }
  const args = (call: { function?: { name: JsonValue } } | null) =>
    typeof call?.function === 'object' ? { ...call, ...call.function, args: {} } : call
  return { ...rest, type, content: rest.content ?? '', tool_calls: calls.map(args) }
}

test('masking any conversation changes only its results, and masking again changes nothing', () => {
  const anyConversion = fc.constantFrom<(message: never) => object>(
    (message) => message,
    serialise,
    store,
  )
  fc.assert(
    fc.property(anyMessages, anyConversion, (messages, convert) => {
      const value = messages.map((message) => convert(fromChat(message) as never))
      expectStableMasking(JSON.stringify({ values: { messages: value } }), 'langchain')
    }),
    fuzz(100),
  )
})
