import { convertToModelMessages, type UIMessage } from 'ai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'
import { readTranscript, SAMPLE_FILES } from '../../testing/transcripts'
import { readDocument } from '../read-document'

const ASK = { role: 'user', content: 'go' }
const call = (id: string) => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path: 'a' } }],
})
const resultPart = (id: string, more: object) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read',
  ...more,
})
const tool = (...content: unknown[]) => ({ role: 'tool', content })
const text = (value: unknown) => ({ output: { type: 'text', value } })
const MESSAGES = [ASK, call('a'), tool(resultPart('a', text('x')))]

const toolPart = (id: string, more: object = { state: 'output-available', output: 'x' }) => ({
  type: 'tool-read',
  toolCallId: id,
  input: { path: 'a' },
  ...more,
})
const STEP = { type: 'step-start' }
const answer = (...parts: unknown[]) => ({ id: 'm', role: 'assistant', parts })

describe('shapes', () => {
  test.each([
    ['messages for a model', MESSAGES, 'message_array', ['messages']],
    ['a body', { model: 'x', messages: MESSAGES }, 'request_body', ['messages']],
    [
      'what generateText returns',
      { text: 'done', response: { id: 'r', messages: MESSAGES } },
      'nested_lists',
      ['response.messages'],
    ],
    ['messages for a page', [answer(STEP, toolPart('a'))], 'message_array', ['messages']],
    ['a chat', { id: 'c', messages: [answer(toolPart('a'))] }, 'request_body', ['messages']],
  ])('%s: each list is a conversation, labelled with its path', (_, value, shape, labels) => {
    const { format, evidence, conversations } = readDocument(JSON.stringify(value))
    expect([format.id, evidence.shape]).toEqual(['ai-sdk', shape])
    expect(evidence.marks).toContain('toolCallId')
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    expect(conversations[0]).toMatchObject({
      turnCount: 1,
      calls: [{ id: 'a', name: 'read', argumentsPreview: '{"path":"a"}' }],
      results: [{ callId: 'a', turn: 0, shape: 'text', chars: 1 }],
    })
  })

  test('lines of messages are one conversation; a system prompt beside a list is its first message', () => {
    const lines = MESSAGES.map((message) => JSON.stringify(message)).join('\n')
    expect(readDocument(lines)).toMatchObject({
      evidence: { shape: 'message_lines' },
      conversations: [{ turnCount: 1 }],
    })
    const body = JSON.stringify({ system: 'be brief', messages: MESSAGES })
    expect(readDocument(body).conversations[0]?.messages[0]).toMatchObject({
      role: 'system',
      chars: 8,
    })
  })

  test.each([
    ['chat completions', [{ role: 'tool', content: 'x', tool_call_id: 'a' }]],
    ['spans of a trace', [{ role: 'assistant', parts: [{ type: 'text', content: 'x' }] }]],
    ['blocks', [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x' }] }]],
    ['an agent of another kind', [{ role: 'agent', parts: [{ type: 'text', text: 'x' }] }]],
  ])('%s are not read as AI SDK', (_, value) => {
    expect(problemsOf(JSON.stringify(value)).format).not.toBe('ai-sdk')
  })
})

test('the sample for a model is what the package converts the sample for a page to', async () => {
  const sample = (name: string) => {
    const file = SAMPLE_FILES.find((found) => found.name.endsWith(`ai-sdk/${name}`))
    if (file === undefined) throw new Error(`there is no ${name}`)
    return JSON.parse(readTranscript(file))
  }
  const messages: UIMessage[] = sample('ui-messages.json').messages
  const converted = await convertToModelMessages(messages)
  expect(JSON.parse(JSON.stringify(converted))).toEqual(sample('model-messages.json'))
})

/** Convert a message of chat completions to one for a model, or to one for a page. */
const CONVERSIONS: readonly ((message: ChatMessage) => unknown)[] = [
  ({ role, content, tool_calls: calls, tool_call_id: id }) => {
    if (role === 'tool') {
      const output =
        typeof content === 'string'
          ? { type: 'text', value: content }
          : { type: 'json', value: content }
      return tool({ type: 'tool-result', toolCallId: id, toolName: 'read', output })
    }
    const texts = typeof content === 'string' ? [{ type: 'text', text: content }] : []
    return {
      role,
      content: [...texts, ...idsOf(calls).map((toolCallId) => ({ type: 'tool-call', toolCallId }))],
    }
  },
  ({ role, content, tool_calls: calls }) => {
    const toolInvocations = idsOf(calls).map((id) => ({
      state: 'result',
      toolCallId: String(id),
      toolName: 'read',
      args: { path: 'a' },
      result: content,
    }))
    return {
      role: role === 'tool' ? 'assistant' : role,
      parts: [
        { type: 'text', text: content },
        ...toolInvocations.map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation })),
      ],
      toolInvocations,
    }
  },
]

function idsOf(calls: unknown): readonly unknown[] {
  return Array.isArray(calls) ? calls.map((call) => call?.id) : []
}

test('masking any conversation changes only its results, and masking again changes nothing', () => {
  fc.assert(
    fc.property(anyMessages, fc.constantFrom(...CONVERSIONS), (messages, convert) => {
      const value = [...MESSAGES, answer(toolPart('z')), ...messages.map(convert)]
      expectStableMasking(JSON.stringify(value), 'ai-sdk')
    }),
    fuzz(100),
  )
})
