import { describe, expect, test } from 'vitest'
import { describeProblem } from '../../words/english'
import { readDocument } from '../read-document'

const PLAIN = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: 'done' },
]
const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }
const CHAT = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'text' },
]
const ANTHROPIC = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'text' }] },
]
const AI_SDK = [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'read',
        output: { type: 'text', value: 'text' },
      },
    ],
  },
]
const GEMINI = [
  { role: 'user', parts: [{ text: 'go' }] },
  { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'x' } } }] },
]

/** A body a line; and the same bodies as one list. */
const writings = (bodies: readonly unknown[]) => [
  bodies.map((body) => JSON.stringify(body)).join('\n'),
  JSON.stringify(bodies),
]

describe('bodies of several formats in one document', () => {
  test.each([
    ['Gemini', [{ contents: GEMINI }, { messages: CHAT }], 'OpenAI chat', 1],
    ['Anthropic Messages', [{ messages: CHAT }, { messages: ANTHROPIC }], 'OpenAI chat', 0],
    [
      'Gemini',
      [{ contents: GEMINI }, { messages: ANTHROPIC }, { messages: CHAT }],
      'Anthropic Messages, OpenAI chat',
      1,
    ],
  ])(
    'are read as %s, and the others are reported with their location',
    (label, bodies, others, at) => {
      for (const text of writings(bodies)) {
        const { format, conversations, problems } = readDocument(text)
        expect([format.label, conversations.length]).toEqual([label, 1])
        expect(problems.map(describeProblem)).toEqual([
          `Conversations in another format were skipped (${bodies.length - 1}: ${others}); choose that format to read them.`,
        ])
        const start = text.indexOf(JSON.stringify(Object.values(bodies[at] ?? {})[0])) + 1
        expect(problems[0]?.offset).toBe(start)
      }
    },
  )

  test('are read as the first that has a result, where an earlier one has none', () => {
    const [, answered] = ANTHROPIC
    const span = JSON.stringify({ input: CHAT, output: [answered] })
    const { candidates, format, conversations } = readDocument(span)
    expect(candidates).toEqual(['anthropic-messages', 'openai-chat'])
    expect(format.id).toBe('openai-chat')
    expect(conversations.map(({ results }) => results.length)).toEqual([1, 0])
  })

  test('are reported beside the messages of a request body too', () => {
    const { format, problems } = readDocument(JSON.stringify({ messages: ANTHROPIC, old: CHAT }))
    expect(format.id).toBe('anthropic-messages')
    expect(problems.map(({ code }) => code)).toEqual(['other_formats'])
  })
})

describe('messages without format marks are of the format at the same path', () => {
  test.each([
    ['anthropic-messages', ANTHROPIC],
    ['ai-sdk', AI_SDK],
  ])('%s', (format, messages) => {
    for (const text of writings([{ messages: PLAIN }, { messages }, { messages: PLAIN }])) {
      const document = readDocument(text)
      expect(document.format.id).toBe(format)
      expect(document.evidence.lists).toBe(3)
      expect(document.problems).toEqual([])
      expect(document.conversations.map(({ results }) => results.length)).toEqual([0, 1, 0])
    }
  })

  test('but not elsewhere in the document', () => {
    const text = JSON.stringify({ messages: ANTHROPIC, metadata: { examples: PLAIN } })
    const { conversations, problems } = readDocument(text)
    expect(conversations).toHaveLength(1)
    expect(problems.map(({ code }) => code)).toEqual(['other_formats'])
  })
})
