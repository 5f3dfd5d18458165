import { describe, expect, test } from 'vitest'
import { createSessions } from '../../replay/sessions'
import { turnOf } from '../../testing/conversation-of'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { sentenceThrownBy } from '../../testing/spoken'
import { readTranscript, SAMPLE_FILES } from '../../testing/transcripts'
import { countConversation } from '../../tokens/count-conversation'
import { describeProblem, inEnglish } from '../../words/english'
import { readDocument } from '../read-document'

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
  test('with successive requests is one session', () => {
    const [file] = SAMPLE_FILES.filter(({ name }) => name.endsWith('network-panel.har'))
    if (file === undefined) throw new Error('no sample')
    const { conversations } = readDocument(readTranscript(file))
    const counts = conversations.map((conversation) =>
      countConversation(conversation, (text) => text.length),
    )
    const sessions = createSessions(conversations, counts)
    expect(conversations.length).toBeGreaterThanOrEqual(3)
    expect(sessions).toMatchObject([{ origin: 'log', requests: { length: conversations.length } }])
  })

  // Traces have their requests in strings already, and pages do not send them.
  const bodies = SAMPLE_FILES.filter(
    ({ name }) => name.endsWith('.json') && !/langfuse|opentelemetry/.test(name),
  )
  test.each(bodies)('reads a body as it is read by itself: $name', (file) => {
    const text = readTranscript(file)
    const alone = readDocument(text)
    const inHar = readDocument(har(GET, post(text)))
    expect(inHar.format.id).toBe(alone.format.id)
    expect(inHar.candidates).toEqual(alone.candidates)
    const facts = ({ conversations }: typeof alone) =>
      conversations.map(({ turnCount, calls, results, resultTexts, toolSchemas }) => ({
        turnCount,
        calls: calls.map(({ id, name, turn }) => [id, name, turn]),
        results: results.map(({ callId, shape, duplicates }) => [callId, shape, duplicates]),
        resultTexts,
        toolSchemas,
      }))
    expect(facts(inHar)).toEqual(facts(alone))
    expectStableMasking(har(GET, post(text)), file.format)
  })

  test.each([
    ['on a line', JSON.stringify(JSON.parse(har(post(CHAT))))],
    ['pretty-printed', har(post(CHAT))],
  ])('%s beside another body is named with its place', (_, capture) => {
    const other = JSON.stringify({ messages: CHAT.messages })
    for (const [text, line] of [
      [`${capture}\n${other}\n`, 1],
      [`${other}\n${capture}\n`, 2],
    ] as const) {
      const { conversations, problems } = readDocument(text)
      expect(conversations).toHaveLength(1)
      expect(problems.map(describeProblem)).toEqual([
        `Line ${line} has tool results in another format (HAR), and nothing of it was read; open each format by itself.`,
      ])
      expect(problems[0]?.offset).toBe(text.indexOf(capture))
    }
  })

  test('with several formats is read as the most frequent one; the others are named', () => {
    const text = har(post(ANTHROPIC), post(CHAT), post(CHAT))
    const { format, conversations, candidates, problems } = readDocument(text)
    expect([format.id, conversations.length]).toEqual(['openai-chat', 2])
    expect(candidates).toEqual(['anthropic-messages', 'openai-chat'])
    expect(problems).toMatchObject([
      { code: 'har_other_formats', values: { count: 1, labels: [{ name: 'Anthropic Messages' }] } },
    ])
    expect(text.slice(problems[0]?.offset)).toMatch(/^\{\\"model\\":\\"claude/)
    const other = readDocument(text, { format: 'anthropic-messages' })
    expect(other.conversations.map(({ label }) => inEnglish(label))).toEqual([
      'request 1, POST api.example.com/v1/chat',
    ])
  })

  test.each([
    [har(GET), 'No request of this HAR file has a JSON body (1 checked); expected'],
    [har(), 'No request of this HAR file has a JSON body (0 checked); expected'],
    [har(GET, post('{"cut": ')), 'No request of this HAR file has a JSON body (2 checked)'],
    [har(GET, post({ a: 1 })), 'No JSON body of this HAR file is a conversation (1 checked)'],
    [
      har(post({ messages: 7 })),
      'log.entries[0].request.postData.text.messages is a number; expected a list of messages',
    ],
    [
      har(post({ ...CHAT, messages: [...CHAT.messages, 7] })),
      'log.entries[0].request.postData.text.messages[3] is a number, not a message',
    ],
  ])('%s gets a sentence', (text, sentence) => {
    const { problems } = problemsOf(text)
    expect(problems.map(([one]) => one)).toEqual([expect.stringContaining(sentence)])
  })

  test('without the format asked for gives a sentence', () => {
    expect(sentenceThrownBy(() => readDocument(har(post(CHAT)), { format: 'gemini' }))).toMatch(
      'This is a HAR file, JSON bodies: 1, not Gemini',
    )
  })

  test('has requests: a log of messages is not one', () => {
    const log = JSON.stringify({ log: { entries: CHAT.messages } })
    expect(readDocument(log).evidence.shape).toBe('nested_lists')
  })
})
