import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { turnOf } from '../testing/conversation-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

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

/** A value in OTLP's types. */
function typed(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } }
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: keyed(value) } }
  return typeof value === 'string' ? { stringValue: value } : { intValue: String(value) }
}

function keyed(value: object) {
  return Object.entries(value).map(([key, member]) => ({ key, value: typed(member) }))
}

const otlp = (...spans: unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

function read(value: unknown) {
  const { conversations, ...document } = readDocument(JSON.stringify(value))
  expect(document.format.id).toBe('opentelemetry')
  return conversations
}

describe('requests', () => {
  test.each([
    ['JSON in strings', otlp(span('1', keyed(input(JSON.stringify(MESSAGES)))))],
    ['structured in OTLP', otlp(span('1', keyed(input(MESSAGES))))],
    ['structured in an object', [span('1', input(MESSAGES))]],
    ['JSON in an object', [span('1', input(JSON.stringify(MESSAGES)))]],
  ])('are read from attributes: %s', (_, value) => {
    const [conversation] = read(value)
    expect(conversation).toMatchObject({
      turnCount: 2,
      opening: 'go',
      calls: [{ id: 'a', name: 'read', argumentsPreview: '{"path":"a"}' }, { id: 'b' }],
      results: [{ callId: 'a', turn: 0, shape: 'text', length: TEXT.length }, { turn: 1 }],
    })
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test('begin with the instructions, know their model and tools, and come in order of time', () => {
    const rest = {
      'gen_ai.system_instructions': JSON.stringify([text('be brief')]),
      'gen_ai.response.model': 'gpt-5',
      'gen_ai.tool.definitions': [{ name: 'read' }],
    }
    const later = span('2', input(MESSAGES), { startTimeUnixNano: '2000' })
    const [first, second] = read([later, span('1', input(MESSAGES.slice(0, 3), rest))])
    expect(first).toMatchObject({
      label: 'chat, [1]',
      model: 'gpt-5',
      toolSchemas: '[{"name":"read"}]',
      turnCount: 1,
    })
    expect(first?.messages[0]?.role).toBe('system')
    expect(second?.turnCount).toBe(2)
  })

  test('spans above others of them are none, whatever the exporter calls a parent', () => {
    for (const parent of [{ parentSpanId: '1' }, { parent_id: '1' }, { parentId: '1' }]) {
      const spans = [
        span('1', input(MESSAGES), { name: 'invoke_agent' }),
        span('2', input(MESSAGES), parent),
      ]
      expect(read(spans).map(({ label }) => label.split(',')[0])).toEqual(['chat'])
    }
  })

  test('older events are messages where there are no attributes', () => {
    const [assistant, tool] = turnOf('a', TEXT) as Record<string, unknown>[]
    const event = (role: string, attributes: object) => ({
      name: `gen_ai.${role}.message`,
      attributes,
    })
    const said = JSON.stringify({ content: '', tool_calls: assistant?.tool_calls })
    const events = [
      event('user', { content: 'go' }),
      event('assistant', { 'gen_ai.event.content': said }),
      event('tool', { id: 'a', content: tool?.content }),
      { name: 'gen_ai.choice', attributes: {} },
    ]
    const value = [span('1', { 'gen_ai.request.model': 'gpt-5' }, { events })]
    const [conversation] = read(value)
    expect(conversation).toMatchObject({
      turnCount: 1,
      model: 'gpt-5',
      results: [{ callId: 'a', turn: 0 }],
    })
    expect(conversation?.messages).toHaveLength(3)
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test.each([
    ['OpenLLMetry', 'gen_ai.prompt.', '', ''],
    ['OpenInference', 'llm.input_messages.', 'message.', 'tool_call.function.'],
  ])('numbered keys of %s are messages where there are no others', (_, start, inner, called) => {
    const key = (index: number, field: string) => `${start}${index}.${inner}${field}`
    const idKey = called === '' ? 'id' : 'tool_call.id'
    const attributes = {
      [key(10, 'role')]: 'user',
      [key(10, 'content')]: 'and now?',
      [key(2, 'role')]: 'tool',
      [key(2, 'content')]: TEXT,
      [key(2, 'tool_call_id')]: 'a',
      [key(1, 'role')]: 'assistant',
      [key(1, `tool_calls.0.${idKey}`)]: 'a',
      [key(1, `tool_calls.0.${called}name`)]: 'read',
      [key(1, `tool_calls.0.${called}arguments`)]: '{"path":"a"}',
      'other.repeat': TEXT,
    }
    for (const value of [otlp(span('1', keyed(attributes))), [span('1', attributes)]]) {
      const [conversation] = read(value)
      expect(conversation?.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user'])
      expect(conversation).toMatchObject({
        calls: [{ id: 'a', name: 'read', argumentsPreview: '{"path":"a"}' }],
        results: [{ callId: 'a', turn: 0, twins: 1 }],
      })
      expectStableMasking(JSON.stringify(value), 'opentelemetry')
    }
  })

  test('lines of spans are read together', () => {
    const lines = [span('1', input(MESSAGES.slice(0, 3))), span('2', input(MESSAGES))]
    const { conversations } = readDocument(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(conversations.map(({ turnCount }) => turnCount)).toEqual([1, 2])
  })
})

describe('what other tracers write', () => {
  const request = (results: number) => {
    const all = ['a', 'b', 'c'].slice(0, results).flatMap((id) => turnOf(id, `${TEXT} of ${id}`))
    return [{ role: 'user', content: 'go' }, ...all]
  }

  test.each([
    ['Logfire', { span_name: 'chat', name: undefined }],
    ['Jaeger', { operationName: 'chat', name: undefined, spanID: '1', traceID: 't' }],
    ['a log record', { eventName: 'gen_ai.client.inference.operation.details', name: undefined }],
  ])('%s names spans in its own words', (_, fields) => {
    const value = [span('1', input(JSON.stringify(MESSAGES)), fields)]
    expect(read(value)).toMatchObject([{ turnCount: 2, results: [{ turn: 0 }, { turn: 1 }] }])
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test('Jaeger has tags in place of attributes, and names the span above in references', () => {
    const tags = Object.entries(input(JSON.stringify(MESSAGES))).map(([key, value]) => ({
      ...{ key, type: 'string', value },
    }))
    const spanOf = (spanID: string, references: unknown[]) => ({
      ...{ traceID: 't', spanID, operationName: `op ${spanID}`, references, startTime: 1, tags },
    })
    const below = spanOf('2', [{ refType: 'CHILD_OF', traceID: 't', spanID: '1' }])
    const value = { data: [{ traceID: 't', spans: [spanOf('1', []), below] }] }
    expect(read(value)).toMatchObject([{ label: 'op 2, data[0].spans[1]', turnCount: 2 }])
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test('numbers and marks of OTLP are no texts of a result', () => {
    const response = { lines: 12, ok: true, share: 0.5, text: TEXT }
    const attribute = {
      kvlistValue: {
        values: [
          { key: 'lines', value: { intValue: '12' } },
          { key: 'ok', value: { boolValue: true } },
          { key: 'share', value: { doubleValue: 0.5 } },
          { key: 'text', value: { stringValue: TEXT } },
        ],
      },
    }
    const attributes = JSON.parse(
      JSON.stringify(keyed(input(turn('a', 'HERE')))).replace(
        '{"stringValue":"HERE"}',
        JSON.stringify(attribute),
      ),
    ) as unknown
    const value = otlp(span('1', attributes))
    const [conversation] = read(value)
    expect(conversation?.resultTexts).toEqual([[TEXT]])
    expect(conversation?.messageTexts[1]?.contents[0]).toBe(
      JSON.stringify({ ...response, text: '' }),
    )
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test('Phoenix writes keys with dots as objects in each other', () => {
    const message = ([role, fields]: readonly [string, object]) => ({
      message: { role, ...fields },
    })
    const call = { id: 'a', function: { name: 'read', arguments: '{}' } }
    const messages: readonly (readonly [string, object])[] = [
      ['user', { content: 'go' }],
      ['assistant', { tool_calls: [{ tool_call: call }] }],
      ['tool', { content: TEXT, tool_call_id: 'a' }],
    ]
    const llm = { model_name: 'gpt-5', input_messages: messages.map(message) }
    const value = [span('1', { llm, input: { value: JSON.stringify({ messages: TEXT }) } })]
    expect(read(value)).toMatchObject([
      { model: 'gpt-5', opening: 'go', results: [{ callId: 'a', turn: 0, twins: 1 }] },
    ])
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test('contents of several parts are numbered too', () => {
    const at = (index: number, field: string) => `llm.input_messages.${index}.message.${field}`
    const attributes = {
      'llm.tools.0.tool.json_schema': '{"name":"read"}',
      [at(0, 'role')]: 'assistant',
      [at(0, 'tool_calls.0.tool_call.id')]: 'a',
      [at(0, 'tool_calls.0.tool_call.function.name')]: 'read',
      [at(1, 'role')]: 'tool',
      [at(1, 'tool_call_id')]: 'a',
      [at(1, 'contents.1.message_content.text')]: 'and more',
      [at(1, 'contents.0.message_content.type')]: 'text',
      [at(1, 'contents.0.message_content.text')]: TEXT,
      [at(2, 'role')]: 'tool',
      [at(2, 'tool_call_id')]: 'a',
      [at(2, 'contents.0.message_content.type')]: 'image',
    }
    const [conversation] = read([span('1', attributes)])
    expect(conversation).toMatchObject({
      toolSchemas: '{"name":"read"}',
      results: [{ shape: 'text_parts' }, { shape: 'other' }],
      resultTexts: [[TEXT, 'and more'], []],
    })
    expectStableMasking(JSON.stringify([span('1', attributes)]), 'opentelemetry')
  })

  test('a content of OpenLLMetry may be blocks of Anthropic as JSON', () => {
    const result = { type: 'tool_result', tool_use_id: 'a', content: TEXT, is_error: true }
    const use = { type: 'tool_use', id: 'a', name: 'read', input: {} }
    const attributes = {
      'gen_ai.prompt.0.role': 'assistant',
      'gen_ai.prompt.0.content': JSON.stringify([{ type: 'text', text: 'I look' }, use]),
      'gen_ai.prompt.0.tool_calls.0.id': 'a',
      'gen_ai.prompt.0.tool_calls.0.name': 'read',
      'gen_ai.prompt.0.tool_calls.0.arguments': '{}',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': JSON.stringify([result]),
      'gen_ai.prompt.2.role': 'user',
      'gen_ai.prompt.2.content': '["no", "blocks"]',
    }
    const value = otlp(span('1', keyed(attributes)))
    const [conversation] = read(value)
    expect(conversation).toMatchObject({
      turnCount: 1,
      calls: [{ id: 'a', name: 'read' }],
      results: [{ callId: 'a', turn: 0, errorRules: ['flag'] }],
    })
    expect(conversation?.messageTexts.map(({ contents }) => contents)).toEqual([
      ['I look'],
      [TEXT],
      ['["no", "blocks"]'],
    ])
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test('calls in an event may be JSON in a string', () => {
    const [assistant] = turnOf('a', TEXT) as Record<string, unknown>[]
    const events = [
      {
        name: 'gen_ai.assistant.message',
        attributes: keyed({ content: 'x', tool_calls: JSON.stringify(assistant?.tool_calls) }),
      },
      { name: 'gen_ai.tool.message', attributes: keyed({ content: TEXT, id: 'a' }) },
    ]
    const value = otlp(span('1', keyed({ 'gen_ai.system': 'x' }), { events }))
    expect(read(value)).toMatchObject([{ turnCount: 1, results: [{ callId: 'a', turn: 0 }] }])
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test('the AI SDK holds its messages as JSON, and a result in quotes', () => {
    const messages = (results: number) => [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      ...['a', 'b'].slice(0, results).flatMap((toolCallId) => [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'read' }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId, output: { type: 'text', value: TEXT + toolCallId } },
          ],
        },
      ]),
    ]
    const sent = (results: number) => ({
      'ai.model.id': 'gpt-5',
      'ai.prompt.messages': JSON.stringify(messages(results)),
      'ai.prompt.tools': ['{"name":"read"}'],
    })
    const tool = { 'ai.toolCall.id': 'a', 'ai.toolCall.result': JSON.stringify(`${TEXT}a`) }
    const value = otlp(...[sent(1), tool, sent(2)].map((all, at) => span(`${at}`, keyed(all))))
    expect(read(value)).toMatchObject([
      { model: 'gpt-5', turnCount: 1, results: [{ twins: 0 }] },
      { turnCount: 2, results: [{ twins: 1 }, { twins: 0 }] },
    ])
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })

  test.each([
    ['parts', 'pydantic_ai.all_messages', MESSAGES, 2],
    [
      'listed events',
      'all_messages_events',
      [
        { 'event.name': 'gen_ai.user.message', content: 'go', role: 'user' },
        { 'event.name': 'gen_ai.assistant.message', tool_calls: [{ id: 'a', function: {} }] },
        { 'event.name': 'gen_ai.tool.message', content: TEXT, id: 'a', role: 'tool' },
      ],
      1,
    ],
    ['a body', 'input.value', { model: 'x', messages: request(2) }, 2],
  ])('Pydantic AI and OpenInference hold requests as JSON: %s', (_, key, held, turnCount) => {
    const attributes = { 'gen_ai.request.model': 'gpt-5', [key]: JSON.stringify(held) }
    const value = otlp(span('1', keyed(attributes)))
    expect(read(value)).toMatchObject([{ model: 'gpt-5', opening: 'go', turnCount }])
    expectStableMasking(JSON.stringify(value), 'opentelemetry')
  })
})

describe('parts', () => {
  test('a response that is a value is masked at its strings, one without any is no text', () => {
    const answers = [{ lines: ['one', 'a longer one'], count: 2 }, 7, { count: 2 }, null]
    const messages = answers.flatMap((answer, index) => turn(`call ${index}`, answer))
    const [conversation] = read([span('1', input(messages))])
    expect(conversation?.results.map(({ shape, slots }) => [shape, slots.length])).toEqual([
      ['text', 2],
      ['other', 0],
      ['other', 0],
      ['other', 0],
    ])
    expectStableMasking(JSON.stringify([span('1', input(messages))]), 'opentelemetry')
  })

  test('a response may be named result, reasoning is shown, other parts are not text', () => {
    const parts = [
      { type: 'reasoning', content: 'hm' },
      { type: 'blob', modality: 'image', content: 'aGk=' },
      { type: 'tool_call_response', id: 'a', result: TEXT },
    ]
    const [conversation] = read([span('1', input([...turn('a'), { role: 'tool', parts }]))])
    expect(conversation?.results[1]).toMatchObject({ callId: 'a', shape: 'text' })
    expect(conversation?.messages[2]).toMatchObject({ nonTextParts: 1, reasoning: [{}] })
  })
})

test('what a tool span says it gave is masked with the result', () => {
  const tool = span('2', { 'gen_ai.tool.call.result': TEXT, 'gen_ai.tool.name': 'read' })
  const value = [span('1', input(JSON.stringify(MESSAGES))), tool]
  expect(read(value)[0]?.results[0]?.slots.map(({ pointer }) => pointer)).toEqual([
    '/0/attributes/gen_ai.input.messages/2/parts/0/response',
    '/1/attributes/gen_ai.tool.call.result',
  ])
  expectStableMasking(JSON.stringify(value), 'opentelemetry')
})

describe('what is of the wrong type', () => {
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
      '[0].attributes["gen_ai.input.messages"][5] is a number, not a message; it was left alone.',
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
      'spans[1] is a text, not a message; it was left alone.',
      '"x"]',
    ],
    [
      'no content',
      [span('1', { 'gen_ai.request.model': 'gpt-5' })],
      '[0].attributes["gen_ai.input.messages"] is missing; expected the messages of a request, recorded where the capturing of content is on.',
      '{"gen_ai.request.model"',
    ],
  ])('%s: a sentence with its place', (_, value, sentence, at) => {
    const { said } = complaintsOf(JSON.stringify(value))
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })

  test('cut off, the place is the end', () => {
    const cut = JSON.stringify(otlp(good)).slice(0, -9)
    expect(complaintsOf(cut)).toMatchObject({ format: 'unread', said: [[/looks cut off/, '']] })
  })
})

test('spans of other kinds are not taken for it', () => {
  const other = span('1', { 'http.method': 'GET' })
  expect(complaintsOf(JSON.stringify(otlp(other))).format).toBe('unread')
  const messages = { messages: [{ role: 'user', content: 'x' }], trace: otlp(other) }
  expect(complaintsOf(JSON.stringify(messages)).format).toBe('openai-chat')
})

test('any spans are masked at results and what repeats them, and stay so when masked again', () => {
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
  )
})
