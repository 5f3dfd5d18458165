import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

const TEXT = 'what the tool gave, a long line'

const text = (content: string) => ({ type: 'text', content })

const turn = (id: string, response: unknown = TEXT) => [
  {
    role: 'assistant',
    parts: [text('I look.'), { type: 'tool_call', id, name: 'read', arguments: { path: 'a' } }],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id, response }] },
]

const MESSAGES = [{ role: 'user', parts: [text('go')] }, ...turn('a'), ...turn('b', 'other')]

const span = (id: string, attributes: unknown, fields: object = {}) => ({
  name: 'chat',
  traceId: 't',
  spanId: id,
  startTimeUnixNano: '1000',
  attributes,
  ...fields,
})

const input = (messages: unknown, rest: object = {}) => ({
  'gen_ai.input.messages': messages,
  ...rest,
})

/** A value in the types of OTLP. */
function typed(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } }
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: keyed(value) } }
  return typeof value === 'string' ? { stringValue: value } : { intValue: String(value) }
}

function keyed(value: object) {
  return Object.entries(value).map(([key, member]) => ({ key, value: typed(member) }))
}

const otlp = (...spans: unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

describe('a value of the wrong type', () => {
  const good = span('1', input(MESSAGES))
  test.each([
    [
      'messages',
      [good, span('2', input('none'))],
      '[1].attributes["gen_ai.input.messages"] is a text; expected a list of messages, as JSON.',
      '"none"',
    ],
    [
      'a message',
      [span('1', input([...MESSAGES, 7]))],
      '[0].attributes["gen_ai.input.messages"][5] is a number, not a message; it was skipped.',
      '7]',
    ],
    [
      'parts',
      [span('1', input([...MESSAGES, { role: 'user', parts: 'x' }]))],
      '[0].attributes["gen_ai.input.messages"][5].parts is a text; expected a list of parts.',
      '"x"',
    ],
    [
      'instructions',
      [span('1', input(MESSAGES, { 'gen_ai.system_instructions': 'be brief' }))],
      '[0].attributes["gen_ai.system_instructions"] is a text; expected a list of parts, as JSON.',
      '"be brief"',
    ],
    [
      'a span',
      { spans: [good, 'x'] },
      'spans[1] is a text, not a message; it was skipped.',
      '"x"]',
    ],
    [
      'no content',
      [span('1', { 'gen_ai.request.model': 'gpt-5' })],
      '[0].attributes["gen_ai.input.messages"] is missing; expected the messages of a request, recorded where the capturing of content is on.',
      '{"gen_ai.request.model"',
    ],
  ])('gives a sentence with its place: %s', (_, value, sentence, at) => {
    const { problems } = problemsOf(JSON.stringify(value))
    expect(problems.map(([first]) => first)).toEqual([sentence])
    expect(problems[0]?.[1].startsWith(at)).toBe(true)
  })

  test('a document cut in half gives the position of its end', () => {
    const cut = JSON.stringify(otlp(good)).slice(0, -9)
    expect(problemsOf(cut)).toMatchObject({ format: 'unread', problems: [[/looks cut off/, '']] })
  })
})

describe('in a trace of MLflow, what is wrong is located', () => {
  const chat = (messages: unknown) =>
    span('1', { 'mlflow.spanInputs': JSON.stringify({ messages }) })
  const said = { role: 'user', content: 'go' }

  test.each([
    ['a list', [chat(7)], /messages"?\]? is a number; expected/, '7'],
    [
      'a message',
      [chat([said, 7])],
      /messages\[1\] is a number, not a message; it was skipped/,
      '7]',
    ],
    [
      'calls',
      [chat([said, { role: 'assistant', tool_calls: 7 }])],
      /messages\[1\]\.tool_calls is a number; expected/,
      '7}',
    ],
    ['attributes', [chat([said]), span('2', 7)], /^\[1\]\.attributes is a number; expected/, '7'],
  ])('%s', (_, spans, sentence, at) => {
    const { problems } = problemsOf(JSON.stringify(spans))
    expect(problems).toEqual([
      [expect.stringMatching(sentence), expect.stringMatching(`^${at.replace(']', '\\]')}`)],
    ])
  })

  test('a request of another format in another span is read with it', () => {
    const contents = [{ role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] }]
    const other = span('2', { 'mlflow.spanInputs': JSON.stringify({ contents }) })
    const { conversations } = readDocument(JSON.stringify([chat([said]), other]))
    expect(conversations.map(({ calls }) => calls.length)).toEqual([0, 1])
  })
})

test('spans without such attributes are not recognised', () => {
  const other = span('1', { 'http.method': 'GET' })
  expect(problemsOf(JSON.stringify(otlp(other))).format).toBe('unread')
  const messages = { messages: [{ role: 'user', content: 'x' }], trace: otlp(other) }
  expect(problemsOf(JSON.stringify(messages)).format).toBe('openai-chat')
})

test('any spans are masked at results and their duplicates only, and masking them again changes nothing', () => {
  const anyResponse = fc.oneof(anyText, fc.record({ out: anyText, err: anyText }))
  const anyWriting = fc.constantFrom<(attributes: object) => unknown>(
    (attributes) => attributes,
    keyed,
  )
  fc.assert(
    fc.property(
      fc.array(anyResponse, { minLength: 1, maxLength: 5 }),
      anyWriting,
      fc.boolean(),
      (responses, write, isString) => {
        const messages = responses.flatMap((response, index) => turn(`call_${index}`, response))
        const requests = responses.map((_, index) => {
          const sent = messages.slice(0, index * 2 + 2)
          return span(`${index}`, write(input(isString ? JSON.stringify(sent) : sent)))
        })
        const tools = responses.map((response, index) =>
          span(`tool ${index}`, write({ 'gen_ai.tool.call.result': response })),
        )
        expectStableMasking(JSON.stringify(otlp(...requests, ...tools)), 'opentelemetry')
      },
    ),
    fuzz(100),
  )
})
