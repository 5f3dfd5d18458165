import fc from 'fast-check'
import { test } from 'vitest'
import { anyMessages, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

const ASK = { role: 'user', content: 'go' }
const call = (id: unknown, name: unknown = 'read', more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: '{"path":"a"}',
  ...more,
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
