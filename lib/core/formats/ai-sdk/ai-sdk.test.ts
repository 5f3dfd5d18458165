import { convertToModelMessages, type UIMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyMessages, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'
import { readTranscript, SAMPLE_FILES } from '../../testing/transcripts'

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
const answer = (...parts: unknown[]) => ({ id: 'm', role: 'assistant', parts })

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
