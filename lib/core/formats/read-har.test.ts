import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { sessionsOf } from '../replay/requests'
import { complaintsOf } from '../testing/complaints-of'
import { turnOf } from '../testing/conversation-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { countConversation } from '../tokens/count-conversation'
import { readDocument } from './read-document'

const CHAT = { model: 'gpt-5', messages: [{ role: 'user', content: 'go' }, ...turnOf('a', 'x')] }
const ANTHROPIC = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1,
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
  ],
}

function post(body: unknown, url = 'https://api.example.com/v1/chat?key=secret'): object {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { request: { method: 'POST', url, postData: { mimeType: 'application/json', text } } }
}

function har(...entries: unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', entries } }, null, 1)
}

const GET = { request: { method: 'GET', url: 'https://example.com/' } }

describe('a HAR file', () => {
  test('gives the conversations of its bodies, named after the requests', () => {
    const text = har(GET, post(CHAT), post('a=1&b=2'), post({ event: 'click' }), post(CHAT))
    const { format, evidence, conversations, problems, source } = readDocument(text)
    expect([format.id, source.layout, problems]).toEqual(['openai-chat', 'json', []])
    expect(evidence).toMatchObject({ shape: 'har', lists: 2 })
    expect(evidence.marks).toContain('postData')
    expect(conversations.map(({ label }) => label)).toEqual([
      'request 2, POST api.example.com/v1/chat',
      'request 5, POST api.example.com/v1/chat',
    ])
    expect(conversations[0]).toMatchObject({ model: 'gpt-5', turnCount: 1 })
  })

  test('is masked inside the strings of its bodies, and stays a HAR file', () => {
    const messages = [...CHAT.messages, ...turnOf('b', 'a "quoted"\n\\line')]
    const text = har(GET, post({ messages: [...messages, ...turnOf('c', 'y')] }))
    expectStableMasking(text, 'openai-chat')
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    const masked = JSON.parse(maskDocument({ text, ...readDocument(text) }, policy).text)
    const body = JSON.parse(masked.log.entries[1].request.postData.text)
    expect(body.messages[4].content).toContain('tool_call_id=b')
    expect(masked.log.entries[0]).toEqual(GET)
  })

  test('is masked where answers and other bodies repeat a result, too', () => {
    const seen = 'what the tool saw, a long line'
    const messages = [...CHAT.messages, ...turnOf('b', seen), ...turnOf('c', 'y')]
    const answer = {
      content: { mimeType: 'application/json', text: JSON.stringify({ log: seen }) },
    }
    const text = har(
      { ...post({ messages }), response: answer },
      post({ event: 'seen', text: seen }),
    )
    const { results } = readDocument(text).conversations[0] ?? {}
    expect(results?.map(({ twins }) => twins)).toEqual([0, 2, 0])
    expectStableMasking(text, 'openai-chat')
  })

  test('of successive requests is one session, as it was sent', () => {
    const [file] = SAMPLE_FILES.filter(({ name }) => name.endsWith('network-panel.har'))
    if (file === undefined) throw new Error('no sample')
    const { conversations } = readDocument(readTranscript(file))
    const counts = conversations.map((conversation) =>
      countConversation(conversation, (text) => text.length),
    )
    const sessions = sessionsOf(conversations, counts)
    expect(conversations.length).toBeGreaterThanOrEqual(3)
    expect(sessions).toMatchObject([{ origin: 'log', requests: { length: conversations.length } }])
  })

  // Traces hold their requests in strings themselves, and are not what a page sends.
  const bodies = SAMPLE_FILES.filter(
    ({ name }) => name.endsWith('.json') && !/langfuse|opentelemetry/.test(name),
  )
  test.each(bodies)('reads a body as it is read alone: $name', (file) => {
    const text = readTranscript(file)
    const alone = readDocument(text)
    const inHar = readDocument(har(GET, post(text)))
    expect(inHar.format.id).toBe(alone.format.id)
    expect(inHar.candidates).toEqual(alone.candidates)
    const facts = ({ conversations }: typeof alone) =>
      conversations.map(({ turnCount, calls, results, resultTexts, toolSchemas }) => ({
        turnCount,
        calls: calls.map(({ id, name, turn }) => [id, name, turn]),
        results: results.map(({ callId, shape, twins }) => [callId, shape, twins]),
        resultTexts,
        toolSchemas,
      }))
    expect(facts(inHar)).toEqual(facts(alone))
    expectStableMasking(har(GET, post(text)), file.format)
  })

  test('of several formats is read as that of most of its bodies; the others are named', () => {
    const text = har(post(ANTHROPIC), post(CHAT), post(CHAT))
    const { format, conversations, candidates, problems } = readDocument(text)
    expect([format.id, conversations.length]).toEqual(['openai-chat', 2])
    expect(candidates).toEqual(['anthropic-messages', 'openai-chat'])
    expect(problems).toMatchObject([
      { code: 'har_other_formats', values: { count: 1, labels: 'Anthropic Messages' } },
    ])
    expect(text.slice(problems[0]?.offset)).toMatch(/^\{\\"model\\":\\"claude/)
    const other = readDocument(text, { format: 'anthropic-messages' })
    expect(other.conversations.map(({ label }) => label)).toEqual([
      'request 1, POST api.example.com/v1/chat',
    ])
  })

  test.each([
    [har(GET), 'No request of this HAR file has a JSON body (1 looked at): expected'],
    [har(), 'No request of this HAR file has a JSON body (0 looked at): expected'],
    [har(GET, post('{"cut": ')), 'No request of this HAR file has a JSON body (2 looked at)'],
    [har(GET, post({ a: 1 })), 'No JSON body of this HAR file is a conversation (1 looked at)'],
    [
      har(post({ messages: 7 })),
      'log.entries[0].request.postData.text.messages is a number; expected a list of messages',
    ],
    [
      har(post({ ...CHAT, messages: [...CHAT.messages, 7] })),
      'log.entries[0].request.postData.text.messages[3] is a number, not a message',
    ],
  ])('%s gets a sentence', (text, sentence) => {
    const { said } = complaintsOf(text)
    expect(said.map(([one]) => one)).toEqual([expect.stringContaining(sentence)])
  })

  test('of another format than asked for says so', () => {
    expect(() => readDocument(har(post(CHAT)), { format: 'gemini' })).toThrow(
      'This is a HAR file, JSON bodies: 1, not Gemini',
    )
  })

  test('is told by its requests: a log of messages is none', () => {
    const log = JSON.stringify({ log: { entries: CHAT.messages } })
    expect(readDocument(log).evidence.shape).toBe('nested_lists')
  })
})
