import fc from 'fast-check'
import { test } from 'vitest'
import { anyMessages, type ChatMessage, type JsonValue } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

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
