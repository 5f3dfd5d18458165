import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyMessages } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { turnOf } from '../testing/conversation-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const MASK_ALL = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

const TEXT = 'what the tool gave, a long line'

const MESSAGES = [
  { role: 'user', content: 'go' },
  ...turnOf('a', TEXT),
  ...turnOf('b', 'another text of some length'),
]

const observation = (id: string, fields: object = {}) => ({
  id,
  traceId: 't',
  type: 'GENERATION',
  name: 'chat',
  startTime: '2026-11-22T09:00:00.000Z',
  parentObservationId: null,
  ...fields,
})

const generation = (id: string, input: unknown, fields: object = {}) =>
  observation(id, { input, ...fields })

function read(value: unknown) {
  const { conversations, ...document } = readDocument(JSON.stringify(value))
  expect(document.format.id).toBe('langfuse')
  return conversations
}

const pointersOf = (value: unknown) =>
  read(value).map(({ results }) => results.map(({ slots }) => slots.map(({ pointer }) => pointer)))

describe('requests', () => {
  test('are generations in the order of time, their inputs values or JSON in strings', () => {
    const conversations = read({
      id: 't',
      observations: [
        generation('2', JSON.stringify(MESSAGES), { startTime: '2026-11-22T10:00:00Z' }),
        generation('1', { messages: MESSAGES.slice(0, 3) }, { model: 'gpt-5' }),
        observation('3', { type: 'SPAN', input: { query: 'x' } }),
      ],
    })
    expect(conversations.map(({ label, model, turnCount }) => [label, model, turnCount])).toEqual([
      ['chat, observations[1]', 'gpt-5', 1],
      ['chat, observations[0]', undefined, 2],
    ])
  })

  test('are in the words of any format', () => {
    const anthropic = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: TEXT }] },
    ]
    const langchain = [
      { type: 'human', content: 'go' },
      { type: 'ai', content: '', tool_calls: [{ id: 'a', name: 'read', args: {} }] },
      { type: 'tool', content: TEXT, tool_call_id: 'a' },
    ]
    for (const messages of [anthropic, langchain]) {
      const [conversation] = read([generation('1', JSON.stringify({ messages }))])
      expect(conversation).toMatchObject({ turnCount: 1, results: [{ callId: 'a', turn: 0 }] })
    }
  })

  test('may hold calls of LangChain in messages of chat completions', () => {
    const calls = [{ name: 'read', args: { path: 'a' }, id: 'a', type: 'tool_call' }]
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', content: TEXT, tool_call_id: 'a' },
    ]
    expect(read([generation('1', messages)])).toMatchObject([
      {
        calls: [{ name: 'read', argumentsPreview: '{"path":"a"}' }],
        results: [{ callId: 'a', turn: 0, toolName: 'read' }],
      },
    ])
  })

  test('are in exports to a storage too, under other names', () => {
    const row = (id: string, more: object) => ({
      ...{ id, trace_id: 't', type: 'GENERATION', name: 'chat', parent_observation_id: null },
      ...more,
    })
    const rows = [
      row('2', {
        start_time: '2026-11-22 09:00:02.000000',
        input: JSON.stringify({ messages: MESSAGES }),
        provided_model_name: 'gpt-5',
      }),
      row('1', { start_time: '2026-11-22 09:00:01.000000', input: 'x', type: 'AGENT' }),
      row('3', {
        start_time: '2026-11-22 09:00:03.000000',
        type: 'TOOL',
        output: TEXT,
        parent_observation_id: '1',
      }),
    ]
    const text = rows.map((one) => JSON.stringify(one)).join('\n')
    const { evidence, conversations } = readDocument(text)
    expect(evidence.marks).toEqual(['trace_id', 'start_time'])
    expect(conversations).toMatchObject([
      { label: 'chat, line 1', model: 'gpt-5', turnCount: 2, results: [{ twins: 1 }, {}] },
    ])
    expectStableMasking(text, 'langfuse')
    const { said } = complaintsOf(JSON.stringify([...rows, row('4', { start_time: 7 })]))
    expect(said.map(([sentence]) => sentence)).toEqual([
      '[3].start_time is a number; expected a text, as observations have.',
    ])
  })

  test('a generation above others is no request of its own', () => {
    const observations = [
      generation('1', { messages: MESSAGES }, { name: 'outer' }),
      observation('2', { type: 'SPAN', parentObservationId: '1' }),
      generation('3', MESSAGES, { name: 'inner', parentObservationId: '2' }),
    ]
    expect(read(observations).map(({ label }) => label)).toEqual(['inner, [2]'])
  })

  test('without generations with messages, other observations and the trace are looked at', () => {
    const span = observation('1', { type: 'SPAN', input: MESSAGES })
    const empty = observation('1', { type: 'SPAN', input: 'go' })
    expect(read([span]).map(({ label }) => label)).toEqual(['chat, [0]'])
    expect(
      read({ name: 'trace', input: MESSAGES, observations: [empty] }).map(({ label }) => label),
    ).toEqual(['trace'])
  })
})

describe('twins', () => {
  test('outputs of tools, metadata and inputs above repeat the results of the last request', () => {
    const inner = { parentObservationId: '1' }
    const value = [
      generation('1', JSON.stringify({ messages: MESSAGES }), { name: 'outer' }),
      generation('2', MESSAGES, { ...inner, metadata: { prompt: JSON.stringify(MESSAGES) } }),
      observation('3', { type: 'TOOL', output: TEXT }),
      observation('4', { type: 'TOOL', output: JSON.stringify({ content: [{ text: TEXT }] }) }),
    ]
    expect(pointersOf(value)[0]?.[0]).toEqual([
      '/1/input/2/content',
      '/0/input/messages/2/content',
      '/1/metadata/prompt/2/content',
      '/2/output',
      '/3/output/content/0/text',
    ])
    expectStableMasking(JSON.stringify(value), 'langfuse')
  })

  test('an observation listed twice is read once and masked in both places', () => {
    const messages = [...turnOf('a', 'short'), ...turnOf('b', 'x')]
    const observations = [generation('1', JSON.stringify(messages))]
    const value = { trace: { id: 't', observations }, observations }
    expect(pointersOf(value)).toEqual([
      [
        ['/trace/observations/0/input/1/content', '/observations/0/input/1/content'],
        ['/trace/observations/0/input/3/content', '/observations/0/input/3/content'],
      ],
    ])
    const text = JSON.stringify(value)
    const masked = JSON.parse(maskDocument({ text, ...readDocument(text) }, MASK_ALL).text)
    expect(masked.observations[0].input).toContain('tool_call_id=a')
    expect(masked.observations).toEqual(masked.trace.observations)
  })

  test('of several requests with a result, the one that stands nearest has the repeat', () => {
    const output = { messages: [{ role: 'tool', content: TEXT }] }
    const observations = ['1', '2', '3'].map((id) => generation(id, MESSAGES, { output }))
    expect(pointersOf(observations).map(([first]) => first)).toEqual(
      ['0', '1', '2'].map((at) => [`/${at}/input/2/content`, `/${at}/output/messages/0/content`]),
    )
  })

  test('a text that is short stands elsewhere for other reasons', () => {
    const messages = [...turnOf('a', 'GENERATION'), ...turnOf('b', 'x')]
    const value = [generation('1', messages, { metadata: { type: 'GENERATION' } })]
    expect(pointersOf(value)[0]?.[0]).toEqual(['/0/input/1/content'])
  })
})

describe('what is of the wrong type', () => {
  test.each([
    [
      'an observation',
      { observations: [generation('1', MESSAGES), 7] },
      'observations[1] is a number, not a message; it was left alone.',
      '7]',
    ],
    [
      'its time',
      { observations: [generation('1', MESSAGES), observation('2', { startTime: 7 })] },
      'observations[1].startTime is a number; expected a text, as observations have.',
      '7,',
    ],
    [
      'a message',
      [generation('1', [...MESSAGES, null])],
      '[0].input[5] is null, not a message; it was left alone.',
      'null]',
    ],
    [
      'messages',
      [generation('1', MESSAGES), generation('2', { messages: 'none' })],
      '[1].input.messages is a text; expected a list of messages, objects with a "role".',
      '"none"',
    ],
    [
      'all inputs',
      { observations: [generation('1', 'what?')] },
      'observations[0].input is a text; expected a list of messages, as requests to a model have, in at least one observation.',
      '"what?"',
    ],
  ])('%s: a sentence with its place', (_, value, sentence, at) => {
    const { said } = complaintsOf(JSON.stringify(value))
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })

  test('cut off, the place is the end', () => {
    const text = JSON.stringify({ observations: [generation('1', MESSAGES)] }).slice(0, -9)
    expect(complaintsOf(text)).toMatchObject({ format: 'unread', said: [[/looks cut off/, '']] })
  })
})

describe('batches of events', () => {
  const event = (type: string, body: unknown, second = 1) => ({
    id: `${type} ${second}`,
    type,
    timestamp: `2026-11-22T09:00:0${second}.000Z`,
    body,
  })
  const CREATED = { id: 'g', traceId: 't', name: 'chat', model: 'gpt-5' }

  test('are the observations they tell of, in any words', () => {
    const items = [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: TEXT },
    ]
    const batch = [
      event('trace-create', { id: 't', name: 'trace', input: MESSAGES }),
      event('generation-create', { ...CREATED, id: 'h', input: { messages: MESSAGES } }, 3),
      event('generation-create', { ...CREATED, input: items, startTime: '2026-11-22T09:00:02Z' }),
      event('observation-create', { ...CREATED, id: 'i', type: 'GENERATION', input: 'go' }, 4),
    ]
    for (const value of [{ batch }, batch]) {
      const { format, evidence, conversations, problems } = readDocument(JSON.stringify(value))
      expect([format.id, evidence.shape, problems]).toEqual(['langfuse', 'trace', []])
      expect(evidence.marks).toContain('generation-create')
      const at = value === batch ? '' : 'batch'
      expect(conversations).toMatchObject([
        { label: `chat, ${at}[2].body`, model: 'gpt-5', turnCount: 1, results: [{ callId: 'a' }] },
        { label: `chat, ${at}[1].body`, model: 'gpt-5', turnCount: 2, results: [{}, {}] },
      ])
    }
  })

  test('an observation told of twice is read once, where its input was said last', () => {
    const batch = [
      event('generation-create', { ...CREATED, input: MESSAGES.slice(0, 3) }),
      event('generation-update', { id: 'g', input: MESSAGES }, 2),
      event('generation-update', { id: 'g', output: { content: `${TEXT}` } }, 3),
      event('span-create', { id: 's', traceId: 't', output: TEXT }, 4),
      event('sdk-log', { log: { said: TEXT } }, 5),
    ]
    const text = JSON.stringify({ batch })
    const { conversations } = readDocument(text)
    expect(conversations).toMatchObject([
      { label: 'chat, batch[1].body', model: 'gpt-5', turnCount: 2, results: [{ twins: 4 }, {}] },
    ])
    const masked = maskDocument({ text, conversations }, MASK_ALL).text
    expect(masked).not.toContain(TEXT)
    expectStableMasking(text, 'langfuse')
  })

  test.each([
    [
      'a body',
      [event('span-create', 7), event('generation-create', { ...CREATED, input: MESSAGES })],
      'batch[0].body is a number; expected an object, what the event tells of.',
      '7}',
    ],
    [
      'a time',
      [event('generation-create', { ...CREATED, startTime: 5, input: MESSAGES })],
      'batch[0].body.startTime is a number; expected a text, as observations have.',
      '5,',
    ],
    [
      'an event',
      [event('generation-create', { ...CREATED, input: MESSAGES }), 8],
      'batch[1] is a number, not a message; it was left alone.',
      '8]',
    ],
    [
      'all inputs',
      [event('trace-create', { id: 't' }), event('generation-create', { ...CREATED, input: 'x' })],
      'batch[1].body.input is a text; expected a list of messages, as requests to a model have, in at least one observation.',
      '"x"',
    ],
  ])('%s of the wrong type: a sentence with its place', (_, batch, sentence, at) => {
    const { said } = complaintsOf(JSON.stringify({ batch }))
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })
})

test('messages with a type and a time are not taken for observations', () => {
  const message = { role: 'user', content: 'x', type: 'TEXT', startTime: '2026-11-22' }
  expect(complaintsOf(JSON.stringify([message])).format).toBe('openai-chat')
})

test('any trace is masked at results and what repeats them, and stays so when masked again', () => {
  fc.assert(
    fc.property(anyMessages, fc.array(fc.nat(20), { maxLength: 3 }), (messages, ends) => {
      const tools = messages.flatMap(({ role, content }, index) =>
        role === 'tool' ? [observation(`tool ${index}`, { type: 'TOOL', output: content })] : [],
      )
      const requests = [...ends, messages.length].map((end, index) => {
        const input = messages.slice(0, Math.max(2, end))
        return generation(`${index}`, index % 2 === 0 ? JSON.stringify(input) : input)
      })
      expectStableMasking(JSON.stringify({ observations: [...tools, ...requests] }), 'langfuse')
    }),
  )
})
