import { expect, test } from 'vitest'
import { turnOf } from '../../testing/conversation-of'
import { problemsOf } from '../../testing/problems-of'
import { sentenceThrownBy } from '../../testing/spoken'
import { describeProblem } from '../../words/english'
import { readDocument } from '../read-document'
import { recogniseCopiedRequests } from './recognise-copied-requests'
import {
  ANTHROPIC,
  CHAT,
  chunk,
  GEMINI,
  part,
  RESPONSE_EVENTS,
  RESPONSES,
  sse,
} from './testing/captured-answers'

function read(text: string) {
  const copied = recogniseCopiedRequests(text)
  const document = readDocument(copied?.body ?? '')
  const said = copied?.problems.map((problem) => [
    describeProblem(problem),
    text.slice(problem.offset).split('\n')[0]?.slice(0, 12),
  ])
  return { copied, document, said, conversation: document.conversations[0] }
}

const A = '{"path":"a.ts"}'

test.each([
  ['OpenAI chat', 'openai-chat', CHAT, 'I read both files.', `call_1 ${A}, call_2 {"path":"b.ts"}`],
  ['Anthropic Messages', 'anthropic-messages', ANTHROPIC, 'I read it.', `toolu_1 ${A}`],
  ['OpenAI Responses', 'openai-responses', RESPONSES, 'I read it.', `call_1 ${A}`],
  ['Gemini', 'gemini', GEMINI, 'I read it.', A],
])('an answer of %s has its text, calls and usage', (place, format, capture, words, calls) => {
  const headers = 'HTTP/2 200\r\ncontent-type: text/event-stream\r\ndate: now\r\n\r\n'
  for (const text of [capture, headers + capture.replaceAll('\n', '\r\n'), `: hi\n${capture}`]) {
    const { copied, document, conversation, said } = read(text)
    expect(copied).toMatchObject({ kind: 'streamed_answer', count: 1, place, hasRequests: false })
    expect(said).toEqual([])
    expect(document.format.id).toBe(format)
    expect(document.problems).toEqual([])
    expect(document.conversations).toHaveLength(1)
    expect(conversation?.messages).toHaveLength(1)
    const [message] = conversation?.messageTexts ?? []
    expect(message?.contents.filter((content) => content !== '')).toEqual([words])
    const made = conversation?.calls.map(({ id }, at) => `${id} ${conversation.callArguments[at]}`)
    expect(made?.join(', ')).toContain(calls)
    expect(conversation?.messages[0]?.usage).toMatchObject({ inputTokens: 90, outputTokens: 30 })
    expect(conversation?.model).toMatch(/gpt-5|claude|gemini/)
  }
})

test('thoughts are kept as thoughts, citations one by one', () => {
  const [message] = JSON.parse(read(ANTHROPIC).copied?.body ?? '').messages
  expect(message).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'Read first.', signature: 'c2ln' },
      { type: 'text', text: 'I read it.', citations: [{ start: 1 }, { start: 9 }] },
      { type: 'tool_use', input: { path: 'a.ts' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 90, output_tokens: 30 },
  })
  expect(JSON.parse(read(GEMINI).copied?.body ?? '').contents[0].parts).toEqual([
    { text: 'Read first.', thought: true },
    { text: 'I read it.' },
    { functionCall: { name: 'read_file', args: { path: 'a.ts' } }, thoughtSignature: 'c2ln' },
    { text: '' },
  ])
})

test('answers of Responses without their last event are made from its events', () => {
  const { conversation, said } = read(sse(RESPONSE_EVENTS))
  expect(conversation?.messageTexts[0]?.contents).toEqual(['I read it.'])
  expect(conversation?.callArguments).toEqual(['{"path":"a.ts"}'])
  expect(conversation?.model).toBe('gpt-5')
  expect(said?.[0]?.[0]).toContain('ends without the event "response.completed"')
})

test('several answers of one API are messages of one list, without a request', () => {
  const second = CHAT.replaceAll('chatcmpl-1', 'chatcmpl-2').replaceAll('call_', 'later_')
  expect(read(CHAT + second).conversation).toMatchObject({ turnCount: 2, results: [] })
  const undone = (CHAT + second).replaceAll('data: [DONE]\n\n', '')
  expect(read(undone).conversation).toMatchObject({ turnCount: 2 })
  const { copied } = read(CHAT + ANTHROPIC)
  expect(copied).toMatchObject({ count: 2, place: 'OpenAI chat, Anthropic Messages' })
  expect(copied?.body?.split('\n')).toHaveLength(2)
})

test('chunks without an index: a call with an id is another one, one without goes on', () => {
  const bare = (id: string | undefined, text: string) =>
    chunk({ tool_calls: [{ id, function: { name: id && 'f', arguments: text } }] })
  const events = [bare('a', '{"x"'), bare(undefined, ':1}'), bare('b', '{}')]
  expect(read(sse(events)).conversation?.callArguments).toEqual(['{"x":1}', '{}'])
})

const REQUEST = {
  ...{ model: 'gpt-5', stream: true },
  messages: [
    { role: 'user', content: 'Read the files.' },
    ...turnOf('call_0', 'What the file had.', 'ls'),
  ],
}

test.each([
  ['on a line', JSON.stringify(REQUEST)],
  ['pretty-printed', JSON.stringify(REQUEST, null, 2)],
  ['in a cURL command', `curl -N 'https://a.example/v1' -d '${JSON.stringify(REQUEST)}'`],
])('a request %s before the answer has the results', (_, request) => {
  const { copied, conversation } = read(`${request}\nHTTP/1.1 200 OK\nserver: a\n\n${CHAT}`)
  expect(copied?.hasRequests).toBe(true)
  expect(conversation).toMatchObject({ turnCount: 2, resultTexts: [['What the file had.']] })
  const { conversation: again, document } = read(`${request}\n${CHAT}${request}\n${CHAT}`)
  expect(document.conversations).toHaveLength(2)
  expect(again).toMatchObject({ turnCount: 2 })
})

test('an input that is a text becomes a user message', () => {
  const { conversation } = read(`{"model":"gpt-5","input":"Read a.ts."}\n${RESPONSES}`)
  expect(conversation?.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
})

test('an answer that was cut off keeps what arrived, and each loss is located', () => {
  const cut = CHAT.slice(0, CHAT.indexOf('\\"a.ts') + 4)
  const { conversation, said } = read(cut)
  expect(conversation?.callArguments).toEqual(['{"pa'])
  const sentences = said?.map(([sentence]) => sentence)
  const skipped = /^Line 11 is not JSON \(it ends at column \d+, inside .*\); it was skipped\.$/
  expect(sentences).toEqual([
    expect.stringMatching(skipped),
    'Answer 1, from line 1 on, ends without a "finish_reason"; it looks cut off. What arrived is read.',
  ])
  expect(recogniseCopiedRequests(cut)?.problems[0]?.offset).toBe(cut.length)
  const half = read(ANTHROPIC.slice(0, ANTHROPIC.lastIndexOf('event: content_block_delta')))
  expect(half.said?.[0]?.[0]).toContain('ends without the event "message_stop"')
  expect(half.conversation?.callArguments).toEqual(['{"path":'])
})

const BEGUN = ANTHROPIC.slice(0, ANTHROPIC.indexOf('event: message_delta'))
const OVERLOADED = { type: 'overloaded_error', message: 'Busy' }
const NO_CREDITS = { message: 'No credits', code: 402 }
const SORRY = { code: 'server_error', message: 'Sorry' }
const FAILED = { type: 'response.failed', response: { error: SORRY } }

test.each([
  [`${BEGUN}event: error\n`, { type: 'error', error: OVERLOADED }, '', 'overloaded_error: Busy'],
  [sse([chunk({ content: 'a' })]), { error: NO_CREDITS }, '', 'No credits'],
  [sse(RESPONSE_EVENTS), FAILED, '', 'server_error: Sorry'],
  ['', { type: 'error', ...SORRY }, CHAT, 'server_error: Sorry'],
  ['', { error: 'Sorry' }, CHAT, 'Sorry'],
  ['', { error: { retry: 1 } }, CHAT, '{"retry":1}'],
])('an error event is named with its line', (before, event, after, named) => {
  const { said } = read(`${before}data: ${JSON.stringify(event)}\n\n${after}`)
  const line = before.split('\n').length
  const sentence = `Line ${line} is an error in place of an answer (${named}).`
  expect(said).toEqual([[sentence, expect.stringMatching(/^data: /)]])
})

test('an event that is JSON but no object is a problem of its line', () => {
  const { copied, conversation } = read(`data: 5\n\n${CHAT}`)
  expect(copied?.problems).toMatchObject([{ code: 'bad_line', values: { line: 1 }, offset: 0 }])
  expect(conversation?.messageTexts[0]?.contents).toContain('I read both files.')
})

test('refusals and summaries of thoughts are put together; a block without its start is a text', () => {
  const item = { type: 'message', role: 'assistant', content: [] }
  const thought = { type: 'reasoning', summary: [] }
  const event = (type: string, output_index: number, more: object) => {
    return { type: `response.${type}`, output_index, ...more }
  }
  const { copied } = read(
    sse([
      event('output_item.added', 0, { item: thought }),
      event('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'Hm' }),
      event('output_item.added', 1, { item }),
      event('refusal.delta', 1, { content_index: 0, delta: 'No.' }),
    ]),
  )
  expect(JSON.parse(copied?.body ?? '').input).toEqual([
    { ...thought, summary: [{ type: 'summary_text', text: 'Hm' }] },
    { ...item, content: [{ type: 'refusal', refusal: 'No.' }] },
  ])
  const delta = { type: 'text_delta', text: 'a' }
  const block = read(sse([{ type: 'content_block_delta', index: 0, delta }]))
  expect(JSON.parse(block.copied?.body ?? '').messages).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
  ])
})

test('answers of Gemini follow each other with and without ids, and inside a member', () => {
  const done = part([{ text: 'a' }], { finishReason: 'STOP' })
  const counts = (events: readonly object[]) => read(sse(events)).copied?.count
  expect(counts([done, { ...done, responseId: 'r2' }])).toBe(2)
  const { responseId: _, ...bare } = done
  expect(counts([part([{ text: 'b' }]), done])).toBe(1)
  expect(counts([bare, bare])).toBe(2)
  expect(counts([{ response: done }])).toBe(1)
})

test('data in several lines is one event', () => {
  const pretty = JSON.stringify(chunk({ content: 'a' }, { finish_reason: 'stop' }), null, 1)
  const text = `${pretty.replace(/^/gm, 'data: ')}\n\n`
  expect(read(text).conversation?.messageTexts[0]?.contents).toEqual(['a'])
})

test.each(['data: hello\n', 'data: {"a":1}\n\ndata: [DONE]\n', '{"a":1}\ndata: x\n'])(
  '%j is no answer',
  (text) => {
    expect(recogniseCopiedRequests(text)).toBeUndefined()
    expect(problemsOf(text)).not.toEqual([])
  },
)

test('the reader alone names what it is', () => {
  expect(sentenceThrownBy(() => readDocument(CHAT))).toMatch(
    'These are server-sent events of streamed answers (1)',
  )
})

test('events of any shape give a reading or nothing', () => {
  const odd = [null, 1, 'a', [], [null], {}, { index: 0 }, [{ index: 0, function: 'a' }]]
  const named = 'choices delta candidates content message item response error'.split(' ')
  for (const value of odd) {
    for (const key of named) {
      for (const events of [CHAT, ANTHROPIC, RESPONSES, GEMINI]) {
        const text = events.replace(/^data: (\{.*\})$/gm, (_, event: string) => {
          const replaced = JSON.parse(event, (name, member) => (name === key ? value : member))
          return `data: ${JSON.stringify(replaced)}`
        })
        expect(() => recogniseCopiedRequests(text)).not.toThrow()
      }
    }
  }
})
