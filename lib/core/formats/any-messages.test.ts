/** Generated chat completions, written in other formats: masking changes only results, and masking again changes nothing. */
import fc from 'fast-check'
import { test } from 'vitest'
import { anyMessages, anyText, type ChatMessage, type JsonValue } from '../testing/chat-messages'
import { expectStableMasking } from '../testing/expect-masked'
import { forAll } from '../testing/test-size'
import type { FormatId } from './read-document'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const idsOf = (calls: unknown) => listOf(calls).map((call) => (call as { id: unknown } | null)?.id)

/** A message of the AI SDK for a model. */
function aiSdkModel({ role, content, tool_calls: calls, tool_call_id: id }: ChatMessage) {
  const isText = typeof content === 'string'
  if (role === 'tool') {
    const output = { type: isText ? 'text' : 'json', value: content }
    return { role, content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output }] }
  }
  const texts = isText ? [{ type: 'text', text: content }] : []
  const parts = idsOf(calls).map((toolCallId) => ({ type: 'tool-call', toolCallId }))
  return { role, content: [...texts, ...parts] }
}

/** A message of the AI SDK for a page, with its calls twice, as in version 4. */
function aiSdkPage({ role, content, tool_calls: calls }: ChatMessage) {
  const read = { state: 'result', toolName: 'read', args: { path: 'a' }, result: content }
  const toolInvocations = idsOf(calls).map((id) => ({ ...read, toolCallId: String(id) }))
  const parts = toolInvocations.map((toolInvocation) => ({
    type: 'tool-invocation',
    toolInvocation,
  }))
  const own = role === 'tool' ? 'assistant' : role
  return { role: own, parts: [{ type: 'text', text: content }, ...parts], toolInvocations }
}

const AI_SDK_TURN = [
  { role: 'user', content: 'go' },
  aiSdkModel({ role: 'assistant', tool_calls: [{ id: 'a' }] }),
  aiSdkModel({ role: 'tool', tool_call_id: 'a', content: 'x' }),
  aiSdkPage({ role: 'assistant', content: 'x', tool_calls: [{ id: 'z' }] }),
]

const user = (...parts: unknown[]) => ({ role: 'user', parts })
const geminiCall = (functionCall: unknown) => ({ functionCall })
const geminiResult = (id: JsonValue | undefined, response: unknown) =>
  user({ functionResponse: { id, name: 'read', response } })
const GEMINI_TURN = [
  user({ text: 'go' }),
  { role: 'model', parts: [geminiCall({ id: 'a', name: 'read', args: { path: 'a' } })] },
  geminiResult('a', { output: 'x' }),
]

function gemini({ role, content, tool_calls: calls, tool_call_id: id }: ChatMessage) {
  const isText = typeof content === 'string'
  if (role === 'tool') return geminiResult(id, isText ? { output: content } : { items: content })
  const texts = isText ? [{ text: content }] : []
  if (role !== 'assistant') return user(...texts)
  return { role: 'model', parts: [...texts, ...listOf(calls).map(geminiCall)] }
}

function responses({ role, content, tool_calls: calls, tool_call_id: id }: ChatMessage): object[] {
  if (role === 'tool') return [{ type: 'function_call_output', call_id: id, output: content }]
  const message = { role: typeof role === 'string' ? role : 'user', content }
  const items = listOf(calls).map((call) => {
    const { id: callId, function: called } = Object(call)
    const { name, arguments: written } = Object(called)
    return { type: 'function_call', call_id: callId, name, arguments: written }
  })
  return [message, ...items]
}

const LANGCHAIN: Readonly<Record<string, readonly [type: string, name: string]>> = {
  user: ['human', 'HumanMessage'],
  assistant: ['ai', 'AIMessage'],
  tool: ['tool', 'ToolMessage'],
}
const LANGCHAIN_WRITERS: readonly ((type: string, name: string, fields: object) => object)[] = [
  (type, _, fields) => ({ ...fields, type }),
  (type, _, data) => ({ type, data }),
  (_, name, kwargs) => ({
    ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs },
  }),
]

function langchain(message: ChatMessage, write: (typeof LANGCHAIN_WRITERS)[number]) {
  const { role, tool_calls: calls, content = '', ...rest } = message
  const [type, name] = LANGCHAIN[role as string] ?? ['system', 'SystemMessage']
  if (!Array.isArray(calls)) return write(type, name, { ...rest, content })
  const own = calls.map((call) =>
    typeof call?.function === 'object' ? { ...call, ...call.function, args: {} } : call,
  )
  return write(type, name, { ...rest, content, tool_calls: own })
}

const anyLangfuse = fc
  .tuple(anyMessages, fc.array(fc.nat(20), { maxLength: 3 }))
  .map(([messages, ends]) => {
    const trace = { traceId: 't', name: 'chat', startTime: '2026-11-22T09:00:00.000Z' }
    const tools = messages.flatMap(({ role, content }, at) =>
      role === 'tool' ? [{ ...trace, id: `tool ${at}`, type: 'TOOL', output: content }] : [],
    )
    const requests = [...ends, messages.length].map((end, at) => {
      const sent = messages.slice(0, Math.max(2, end))
      const input = at % 2 === 0 ? JSON.stringify(sent) : sent
      return { ...trace, id: `${at}`, type: 'GENERATION', parentObservationId: null, input }
    })
    return { observations: [...tools, ...requests] }
  })

const inspectCall = (id: string) => ({
  ...{ role: 'assistant', content: '' },
  tool_calls: [{ id, function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
})
const inspectResult = { role: 'tool', content: 'a long line', tool_call_id: 'a', function: 'bash' }
const INSPECT_SAMPLE = {
  ...{ id: 1, epoch: 1, input: 'go', target: '' },
  messages: [{ role: 'user', content: 'go' }, inspectCall('a'), inspectResult, inspectCall('b')],
}
const anyInspectEvent = fc.oneof(
  fc.record({ event: fc.constant('tool'), id: fc.constantFrom('a', 'b'), result: anyText }),
  fc.record({ event: fc.constant('info'), text: anyText }),
)
const anyInspect = fc
  .tuple(anyMessages, fc.array(anyInspectEvent, { maxLength: 5 }))
  .map(([messages, events]) => {
    const texts = messages.filter(
      ({ role, content }) => role === 'tool' && content === `${content}`,
    )
    const attachments = Object.fromEntries(texts.map(({ content }, at) => [`hash ${at}`, content]))
    const samples = [{ ...INSPECT_SAMPLE, messages, events, attachments }, INSPECT_SAMPLE]
    return { version: 2, status: 'success', eval: { task: 'ctf', model: 'openai/gpt-5' }, samples }
  })

const sweAgent = (message: ChatMessage) => ({
  ...{ ...message, agent: 'main' },
  message_type: message.role === 'assistant' ? 'action' : 'observation',
  ...(message.role === 'tool' && { tool_call_ids: [message.tool_call_id] }),
  ...(message.role === 'assistant' && { action: 'ls', thought: '' }),
})
const anySweAgent = fc
  .tuple(
    anyMessages,
    fc.array(fc.tuple(anyText, fc.nat(14), fc.constantFrom('query', 'messages')), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([messages, steps, isAlone]) => {
    const history = messages.map(sweAgent)
    const said = { action: 'ls', response: 'I look.', thought: 'I look.' }
    const trajectory = steps.map(([observation, length, key]) => ({
      ...{ ...said, observation },
      [key]: history.slice(0, length),
    }))
    return isAlone ? history : { trajectory, history }
  })

test.each<[FormatId, fc.Arbitrary<unknown>]>([
  [
    'ai-sdk',
    fc
      .tuple(anyMessages, fc.constantFrom(aiSdkModel, aiSdkPage))
      .map(([messages, write]) => [...AI_SDK_TURN, ...messages.map((message) => write(message))]),
  ],
  ['gemini', anyMessages.map((all) => ({ contents: [...GEMINI_TURN, ...all.map(gemini)] }))],
  [
    'openai-responses',
    anyMessages.map((messages) => {
      const last = responses({ role: 'user', content: 'go', tool_calls: [{ id: 'z' }] })
      return { model: 'gpt-5', input: [...messages.flatMap(responses), ...last] }
    }),
  ],
  [
    'langchain',
    fc
      .tuple(anyMessages, fc.constantFrom(...LANGCHAIN_WRITERS))
      .map(([all, write]) => ({ values: { messages: all.map((one) => langchain(one, write)) } })),
  ],
  ['langfuse', anyLangfuse],
  ['inspect', anyInspect],
  ['swe-agent', anySweAgent],
])('%s', (format, anyDocument) => {
  forAll(150, [anyDocument], (document) => expectStableMasking(JSON.stringify(document), format))
})
