import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyMessages, anyText } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { ARCHIVED_FILES, CORPUS_FILES, readTranscript } from '../testing/transcripts'
import { readDocument } from './read-document'

const MASK_ALL = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

const TEXT = 'what the tool gave, a long line'

const call = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
})

const result = (id: string, fields: object = {}) => ({
  role: 'tool',
  content: TEXT,
  tool_call_id: id,
  function: 'bash',
  ...fields,
})

const MESSAGES = [
  { role: 'user', content: 'go' },
  ...[call('a'), result('a'), call('b'), result('b', { content: 'other' })],
]

const sampleOf = (fields: object = {}) => ({
  id: 1,
  epoch: 1,
  input: 'go',
  target: '',
  messages: MESSAGES,
  ...fields,
})

const logOf = (samples: unknown) => ({
  version: 2,
  status: 'success',
  eval: { task: 'ctf', model: 'openai/gpt-5' },
  samples,
})

function read(value: unknown) {
  const { conversations, ...document } = readDocument(JSON.stringify(value))
  expect(document.format.id).toBe('inspect')
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

describe('logs and samples', () => {
  test('each sample of a log is a conversation', () => {
    const text = JSON.stringify(logOf([sampleOf(), sampleOf({ epoch: 2 })]))
    const { conversations, evidence } = readDocument(text)
    expect(evidence).toEqual({ shape: 'trace', lists: 2, marks: ['eval', 'samples'] })
    expect(conversations.map(({ label, model }) => [label, model])).toEqual([
      ['samples[0].messages', 'openai/gpt-5'],
      ['samples[1].messages', 'openai/gpt-5'],
    ])
  })

  test('a sample out of an archive is one, a list of samples too', () => {
    const sample = sampleOf({ output: { model: 'gpt-5' } })
    expect(read(sample)).toMatchObject({ label: 'messages', model: 'gpt-5', turnCount: 2 })
    expect(read([sample])).toMatchObject({ label: '[0].messages', turnCount: 2 })
  })

  test('calls have a bare name and arguments as an object', () => {
    expect(read(sampleOf()).calls[0]).toMatchObject({
      id: 'a',
      name: 'bash',
      argumentsPreview: '{"cmd":"ls"}',
    })
  })

  test('reasoning is shown and is no part that is not text', () => {
    const content = [
      { type: 'reasoning', reasoning: 'hm', signature: 's' },
      { type: 'reasoning', reasoning: '', redacted: true },
      { type: 'text', text: 'x' },
      { type: 'image', image: 'data:' },
    ]
    const { messages } = read(sampleOf({ messages: [...MESSAGES, { role: 'assistant', content }] }))
    const last = messages.at(-1)
    expect([last?.contents.length, last?.reasoning.length, last?.nonTextParts]).toEqual([1, 1, 1])
  })

  test('tools are those of the first request with some, their attached texts in place', () => {
    const model = (tools: unknown) => ({ event: 'model', tools })
    const events = [model([]), model([{ name: 'bash', description: 'attachment://ab' }])]
    const { toolSchemas } = read(sampleOf({ events, attachments: { ab: 'runs commands' } }))
    expect(toolSchemas).toBe('[{"name":"bash","description":"runs commands"}]')
  })
})

describe('errors', () => {
  const failing = (content: unknown) =>
    sampleOf({
      messages: [
        ...[call('a'), result('a', { content, error: { type: 'timeout', message: 'late' } })],
        call('b'),
      ],
    })

  test('the message of an error is the text, since models are sent that', () => {
    const [first] = read(failing('')).results
    expect(first).toMatchObject({ length: 4, twins: 0 })
    expect(first?.errorRules).toContain('flag')
  })

  test('the content beside it is masked with it', () => {
    const text = JSON.stringify(failing('cut output'))
    const masked = JSON.parse(maskDocument({ text, ...readDocument(text) }, MASK_ALL).text)
    const { content, error } = masked.messages[1]
    expect(error.type).toBe('timeout')
    expect(error.message).toContain('tool_call_id=a')
    expect(content).toBe(error.message)
  })

  test('an error without a message is an error all the same', () => {
    const messages = [call('a'), result('a', { error: { type: 'unknown' } })]
    const [first] = read(sampleOf({ messages })).results
    expect(first).toMatchObject({ length: TEXT.length, errorRules: ['flag'] })
  })
})

describe('what other parts repeat', () => {
  test('is masked with its result: of the named call, or of the last equal one', () => {
    const messages = [...['a', 'b', 'c'].flatMap((id) => [call(id), result(id)]), call('d')]
    const events = [
      { event: 'tool', id: 'a', result: TEXT, arguments: { text: 'x' } },
      { event: 'state', changes: [{ value: { content: TEXT } }] },
    ]
    const sample = sampleOf({
      messages,
      events,
      events_data: { calls: [{ type: 'function_call_output', call_id: 'b', output: TEXT }] },
      attachments: { ab: TEXT, cd: 'another' },
      metadata: { text: TEXT },
    })
    const { results } = read(sample)
    expect(results.map(({ slots }) => slots.slice(1).map(({ pointer }) => pointer))).toEqual([
      ['/events/0/result'],
      ['/events_data/calls/0/output'],
      ['/events/1/changes/0/value/content', '/attachments/ab'],
    ])
    expectStableMasking(JSON.stringify(sample), 'inspect')
  })

  test('what a message list of the input, a change of the state or a note hold is masked too', () => {
    const text = JSON.stringify(
      sampleOf({
        input: MESSAGES.slice(0, 3),
        events: [
          { event: 'state', changes: [{ op: 'replace', path: '/m/2/content', value: TEXT }] },
          { event: 'info', data: TEXT },
        ],
      }),
    )
    expect(read(JSON.parse(text)).results[0]?.twins).toBe(3)
    expectStableMasking(text, 'inspect')
  })

  test('a short text is a repeat only where its call is named', () => {
    const messages = [call('a'), result('a', { content: 'tool' }), call('b')]
    const events = [
      { event: 'tool', id: 'a', result: 'tool' },
      { event: 'info', text: 'tool' },
    ]
    const [first] = read(sampleOf({ messages, events, attachments: { ab: 'tool' } })).results
    expect(first?.slots.map(({ pointer }) => pointer)).toEqual([
      '/messages/1/content',
      '/events/0/result',
    ])
  })
})

describe('what is of the wrong type', () => {
  test.each([
    ['samples', logOf('none'), 'samples is a text; expected a list of samples.', '"none"'],
    [
      'a sample',
      logOf([sampleOf(), 7]),
      'samples[1] is a number; expected a sample, an object with "messages".',
      '7]',
    ],
    [
      'messages',
      sampleOf({ messages: {} }),
      'messages is an empty object; expected a list of messages.',
      '{}',
    ],
    [
      'a message',
      sampleOf({ messages: [...MESSAGES, 'x'] }),
      'messages[5] is a text, not a message; it was left alone.',
      '"x"]',
    ],
    [
      'content',
      sampleOf({ messages: [...MESSAGES, result('b', { content: 7 })] }),
      'messages[5].content is a number; expected a text or a list of parts.',
      '7,',
    ],
    [
      'calls',
      logOf([sampleOf({ messages: [...MESSAGES, { ...call('c'), tool_calls: 'x' }] })]),
      'samples[0].messages[5].tool_calls is a text; expected a list of calls.',
      '"x"',
    ],
    [
      'a log without samples',
      { ...logOf(undefined), results: {} },
      'samples is missing; expected a list of samples; the header of a log has none.',
      '{"version"',
    ],
    [
      'summaries',
      [{ id: 1, epoch: 1, input: 'go', target: '' }],
      '[0].messages is missing; expected the messages of a sample; summaries and scores of samples have none.',
      '{"id":1',
    ],
  ])('%s: a sentence with its place', (_, value, sentence, at) => {
    const { said } = complaintsOf(JSON.stringify(value))
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })

  test('a log without samples says what it lacks', () => {
    const { said } = complaintsOf(JSON.stringify(logOf([])))
    expect(said.map(([sentence]) => sentence)).toEqual([
      'samples is a list of 0 items; expected at least one sample.',
    ])
  })

  test('cut off, the place is the end', () => {
    const text = JSON.stringify(logOf([sampleOf()])).slice(0, -9)
    expect(complaintsOf(text)).toMatchObject({ format: 'unread', said: [[/looks cut off/, '']] })
  })
})

test.each([
  ['a request body', { version: 2, eval: 'x', messages: [{ role: 'user', content: 'x' }] }],
  ['runs that count epochs', { runs: [{ epoch: 1, messages: [{ role: 'user', content: 'x' }] }] }],
])('%s is not taken for it', (_, value) => {
  expect(complaintsOf(JSON.stringify(value)).format).toBe('openai-chat')
})

describe.skipIf(ARCHIVED_FILES.length === 0)('a published archive', () => {
  const others = ARCHIVED_FILES.filter((file) => !CORPUS_FILES.includes(file))

  test('has one transcript', () => {
    expect(others.length).toBe(ARCHIVED_FILES.length - 1)
  })

  test.each(others)('$name says that it is none', (file) => {
    const { format, said } = complaintsOf(readTranscript(file))
    expect(format).toBe('unread')
    expect(said).toMatchObject([[/expected|no conversation/, expect.anything()]])
  })
})

test('any sample is masked where it holds results, and stays as it is when masked again', () => {
  const anyEvent = fc.oneof(
    fc.record({ event: fc.constant('tool'), id: fc.constantFrom('a', 'b'), result: anyText }),
    fc.record({ event: fc.constant('info'), text: anyText }),
  )
  fc.assert(
    fc.property(anyMessages, fc.array(anyEvent, { maxLength: 5 }), (messages, events) => {
      const texts = messages.flatMap(({ role, content }) =>
        role === 'tool' && typeof content === 'string' ? [content] : [],
      )
      const attachments = Object.fromEntries(texts.map((text, index) => [`hash ${index}`, text]))
      const samples = [sampleOf({ messages, events, attachments }), sampleOf()]
      expectStableMasking(JSON.stringify(logOf(samples)), 'inspect')
    }),
  )
})
