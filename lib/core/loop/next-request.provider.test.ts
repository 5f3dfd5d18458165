/** Next requests sent by OpenAI's client to a server with the providers' checks. */
import OpenAI from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertToChat } from '../convert/to-chat'
import { readDocument } from '../formats/read-document'
import { maskOldToolResults } from '../mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../policy/policy'
import { type ProviderServer, startProviderServer } from '../testing/provider-server'
import {
  CORPUS_FILES,
  readTranscript,
  SAMPLE_FILES,
  shortFiles,
  type TranscriptFile,
} from '../testing/transcripts'
import { checkRequest, REQUEST_RULES } from './check-request'
import { buildNextRequest, type ChatMessage, type NextRequest } from './next-request'
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

function conversationsOf(file: TranscriptFile): (readonly ChatMessage[])[] {
  const text = readTranscript(file)
  return readDocument(text).conversations.map(
    (conversation) => JSON.parse(convertToChat(text, conversation).text).messages,
  )
}

function sent({ request }: NextRequest): SentRequest {
  return { ...structuredClone(request), model: request.model ?? '' } as SentRequest
}

/** The messages up to the last turn, so that its calls are pending. */
function pending(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const at = messages.findLastIndex(({ tool_calls: calls }) => Array.isArray(calls))
  return at < 0 ? messages : messages.slice(0, at + 1)
}

const SAMPLE = SAMPLE_FILES.find(({ name }) => name === 'coding-session.json') as TranscriptFile

describe('the next request of a pending transcript', () => {
  const [messages = []] = conversationsOf(SAMPLE)
  const built = buildNextRequest(pending(messages), [], OPTIONS) as NextRequest
  const results = built.calls.map(({ id: tool_call_id, name }) => {
    return { tool_call_id, name, content: '{"found":3}', success: true }
  })

  test('is accepted with and without results, and arrives unchanged', async () => {
    expect(built.calls.length).toBeGreaterThan(0)
    for (const { recorded } of built.calls) expect(recorded).toBeUndefined()
    for (const given of [results, []]) {
      const request = sent(buildNextRequest(pending(messages), given, OPTIONS) as NextRequest)
      expect(await send(lenient, request)).toBe('taken')
      expect(lenient.taken.at(-1)).toEqual(request)
    }
  })

  test('is accepted by strict servers without `tools`', async () => {
    const strictly = { ...OPTIONS, isWithoutTools: true }
    const request = sent(buildNextRequest(pending(messages), results, strictly) as NextRequest)
    expect(await send(strict, request)).toBe('taken')
    await expect(send(strict, sent(built))).rejects.toThrow('empty_tools')
  })

  test('is accepted when masked', async () => {
    const { request } = buildNextRequest(pending(messages), results, {
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

const MOST_CONVERSATIONS = 3

describe('the next request is accepted in every format, with recorded results and pending calls', () => {
  test.each(shortFiles([...SAMPLE_FILES, ...CORPUS_FILES], 200_000))('$name', (file) => {
    for (const messages of conversationsOf(file).slice(0, MOST_CONVERSATIONS))
      for (const transcript of [messages, pending(messages)])
        for (const historyMessages of [0, 100_000]) {
          const built = buildNextRequest(transcript, [], { ...OPTIONS, historyMessages })
          // The server refuses by the same rules.
          const refused = built === undefined ? [] : checkRequest(sent(built))
          expect(refused.filter(({ rule }) => REQUEST_RULES[rule] === 'all')).toEqual([])
        }
  })
})
