/** Next requests sent by OpenAI's client to a server with the providers' checks. */
import OpenAI from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertToChat } from '../convert/to-chat'
import { readDocument } from '../formats/read-document'
import { maskOldToolResults } from '../mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../policy/policy'
import { type ProviderServer, startProviderServer } from '../testing/provider-server'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { buildNextRequest, type ChatMessage, type NextRequest } from './next-request'
import { savedConversationKey, writeSavedConversation } from './request'
import { OPTIONS } from './testing/request-options'

type Mutable<Value> = Value extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
    : Value

type SentRequest = Mutable<NextRequest['request']> & { model: string; stream: false }

/** Compiles only if the request has OpenAI's type. */
function asParameters(request: SentRequest): ChatCompletionCreateParamsNonStreaming {
  return request
}

let lenient: ProviderServer
let strict: ProviderServer
beforeAll(async () => {
  lenient = await startProviderServer({ isStrict: false })
  strict = await startProviderServer({ isStrict: true })
})
afterAll(async () => {
  await lenient.close()
  await strict.close()
})

async function send({ baseUrl }: ProviderServer, request: SentRequest): Promise<string | null> {
  const client = new OpenAI({ apiKey: 'none', baseURL: baseUrl, maxRetries: 0 })
  const answer = await client.chat.completions.create(asParameters(request))
  return answer.choices[0]?.message.content ?? null
}

function sent({ request }: NextRequest): SentRequest {
  return { ...structuredClone(request), model: request.model ?? '' } as SentRequest
}

describe('the next request of a pending transcript', () => {
  const sample = SAMPLE_FILES.find(({ name }) => name === 'coding-session.json')
  const text = readTranscript(sample as NonNullable<typeof sample>)
  const [conversation] = readDocument(text).conversations
  const whole = convertToChat(text, conversation as NonNullable<typeof conversation>).text
  const { messages }: { messages: readonly ChatMessage[] } = JSON.parse(whole)
  /** Up to the last turn, so that its calls have no results. */
  const end = messages.findLastIndex(({ tool_calls: calls }) => Array.isArray(calls)) + 1
  const pending = messages.slice(0, end)
  const built = buildNextRequest(pending, [], OPTIONS) as NextRequest
  const results = built.calls.map(({ id: tool_call_id, name }) => {
    return { tool_call_id, name, content: '{"found":3}', success: true }
  })

  test('is accepted with and without results, and arrives unchanged', async () => {
    expect(built.calls.length).toBeGreaterThan(0)
    for (const { recorded } of built.calls) expect(recorded).toBeUndefined()
    for (const given of [results, []]) {
      const request = sent(buildNextRequest(pending, given, OPTIONS) as NextRequest)
      expect(await send(lenient, request)).toBe('taken')
      expect(lenient.taken.at(-1)).toEqual(request)
    }
  })

  test('is accepted by strict servers without `tools`', async () => {
    const strictly = { ...OPTIONS, isWithoutTools: true }
    const request = sent(buildNextRequest(pending, results, strictly) as NextRequest)
    expect(await send(strict, request)).toBe('taken')
    await expect(send(strict, sent(built))).rejects.toThrow('empty_tools')
  })

  test('is accepted when masked', async () => {
    const { request } = buildNextRequest(pending, results, {
      ...OPTIONS,
      historyMessages: messages.length * 10,
    }) as NextRequest
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    const masked = maskOldToolResults(request.messages, policy)
    expect(masked).not.toEqual(request.messages)
    const body = { ...request, messages: masked, model: 'gpt-5' }
    expect(await send(lenient, structuredClone(body) as SentRequest)).toBe('taken')
  })
})

test('writes messages with their times, which are read back', () => {
  const at = Date.parse('2026-11-20T10:00:00.000Z')
  const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } } as const
  const text = writeSavedConversation(
    [
      { message: { role: 'user', content: 'go' }, at: undefined },
      { message: { role: 'assistant', content: null, tool_calls: [call] }, at },
      { message: { role: 'tool', tool_call_id: 'a', name: 'read', content: 'ok' }, at: at + 500 },
      { message: { role: 'assistant', content: 'done' }, at: 1e300 },
    ],
    'gpt-5',
  )
  const time = { timestamp: '2026-11-20T10:00:00.000Z' }
  const later = { timestamp: '2026-11-20T10:00:00.500Z' }
  expect(JSON.parse(text)).toEqual({
    model: 'gpt-5',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: [call], ...time },
      { role: 'tool', content: 'ok', tool_call_id: 'a', name: 'read', ...later },
      { role: 'assistant', content: 'done' },
    ],
  })
  const [conversation] = readDocument(text).conversations
  expect(conversation?.turnCount).toBe(1)
  const times = conversation?.messages.map((message) => message.writtenAt)
  expect(times).toEqual([undefined, at, at + 500, undefined])
})

test('the key is the same for the same texts, and differs for others', () => {
  expect(savedConversationKey(['a', 'b'])).toBe(savedConversationKey(['a', 'b']))
  const keys = [[], [''], ['a', 'b'], ['ab'], ['b', 'a'], ['a', 'b', '']].map(savedConversationKey)
  expect(new Set(keys).size).toBe(keys.length)
})
