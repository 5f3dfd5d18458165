import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyText } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const MASK_ALL = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
}

function read(value: unknown) {
  const { conversations, ...document } = readDocument(JSON.stringify(value))
  expect(document.format.id).toBe('openhands')
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

const response = (id: string, calls: readonly string[]) => ({
  id,
  model: 'gpt-5',
  choices: [
    {
      message: {
        role: 'assistant',
        content: 'I look.',
        tool_calls: calls.map((call) => ({
          id: call,
          function: { name: 'execute_bash', arguments: '{"command":"ls"}' },
        })),
      },
    },
  ],
})

const metadata = (call: string, answer = response(`answer ${call}`, [call])) => ({
  function_name: 'execute_bash',
  tool_call_id: call,
  model_response: answer,
})

const action = (id: number, fields: object = {}) => ({
  id,
  source: 'agent',
  message: 'Running',
  action: 'run',
  args: { command: 'ls', thought: 'I look.' },
  ...fields,
})

const observation = (id: number, cause: number, fields: object = {}) => ({
  id,
  source: 'agent',
  message: 'Done',
  cause,
  observation: 'run',
  content: 'a.txt\na long line of output',
  extras: {},
  ...fields,
})

const turn = (id: number, call: string, fields: object = {}) => [
  action(id, { tool_call_metadata: metadata(call) }),
  observation(id + 1, id, { tool_call_metadata: metadata(call), ...fields }),
]

describe('events before the SDK', () => {
  test('an action with tool call metadata is a call, its observation the result', () => {
    const conversation = read([
      {
        id: 0,
        source: 'agent',
        message: '',
        action: 'system',
        args: { content: 'be', tools: [1] },
      },
      { id: 1, source: 'user', message: 'go', action: 'message', args: { content: 'go' } },
      ...turn(2, 'a'),
      { id: 4, source: 'environment', observation: 'agent_state_changed', content: '', extras: {} },
      { id: 5, source: 'agent', message: 'ok', action: 'message', args: { content: 'ok' } },
    ])
    expect(conversation).toMatchObject({ model: 'gpt-5', toolSchemas: '[1]', opening: 'go' })
    expect(conversation.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant'],
    ])
    expect(conversation.calls).toMatchObject([
      { id: 'a', name: 'execute_bash', argumentsPreview: '{"command":"ls"}', turn: 0 },
    ])
    expect(conversation.results).toMatchObject([{ callId: 'a', turn: 0, shape: 'text' }])
  })

  test('calls of one answer are one turn, results between them or not', () => {
    const answer = response('answer', ['a', 'b'])
    const with_ = (call: string) => ({ tool_call_metadata: metadata(call, answer) })
    const { turnCount, messages, calls, results } = read([
      action(1, with_('a')),
      observation(2, 1, with_('a')),
      action(3, with_('b')),
      observation(4, 3, with_('b')),
    ])
    expect([turnCount, messages.length, calls.length]).toEqual([1, 3, 2])
    expect(messages[0]?.more).toHaveLength(1)
    expect(results.map((result) => result.turn)).toEqual([0, 0])
  })

  test('without tool calls the event that caused an observation is its call', () => {
    const { calls, results } = read([
      action(1),
      observation(2, 1),
      action(3, { action: 'think', args: { thought: 'hm' } }),
      observation(4, 3, { observation: 'think', content: 'ok' }),
      action(5, { action: 'recall', args: {} }),
      observation(6, 5, { observation: 'recall', content: 'facts' }),
    ])
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ['event-1', 'run'],
      ['event-3', 'think'],
    ])
    expect(calls[0]?.argumentsPreview).toBe('{"command":"ls"}')
    expect(results.map(({ callId, toolName }) => [callId, toolName])).toEqual([
      ['event-1', 'run'],
      ['event-3', 'think'],
    ])
  })

  test("a user's own command and an error without a call are told as a user's", () => {
    const { messages, results } = read([
      ...turn(1, 'a'),
      action(3, { source: 'user' }),
      observation(4, 3, { source: 'user' }),
      { id: 5, source: 'environment', observation: 'error', content: 'no tool', extras: {} },
    ])
    expect(messages.slice(2).map(({ role, chars }) => [role, chars])).toEqual([
      ['user', 2],
      ['user', 27],
      ['user', 7],
    ])
    expect(results).toHaveLength(1)
  })

  test('an error is flagged by the format', () => {
    const failed = read(turn(1, 'a', { success: false })).results
    const error = read(turn(1, 'a', { observation: 'error' })).results
    expect([failed, error].map(([result]) => result?.errorRules)).toEqual([['flag'], ['flag']])
    expect(read(turn(1, 'a', { success: true })).results[0]?.errorRules).toEqual([])
  })

  test('what extras and the message repeat is masked with the result, descriptions are not', () => {
    const extras = {
      command: 'a long line of output',
      new_content: 'x\na long line of output\ny',
      other: 'nothing of it',
      metadata: { suffix: 'a long line of output' },
    }
    const text = JSON.stringify([
      ...turn(1, 'a', { extras, message: 'a.txt\na long line of output' }),
      ...turn(3, 'b'),
    ])
    const masked = JSON.parse(maskDocument({ text, ...readDocument(text) }, MASK_ALL).text)
    const { content, message, extras: after } = masked[1]
    expect(content).toContain('tool_call_id=a')
    expect(message).toBe(content)
    expect(after).toEqual({ ...extras, new_content: content })
  })

  test('histories of evaluations are read, pairs of events too', () => {
    const line = (history: unknown) => JSON.stringify({ instance_id: 'x', history })
    const text = [line(turn(1, 'a')), line([turn(1, 'a'), turn(3, 'b')])].join('\n')
    const { conversations, evidence } = readDocument(text)
    expect(evidence).toMatchObject({ shape: 'event_array', lists: 2 })
    expect(conversations.map(({ label, turnCount }) => [label, turnCount])).toEqual([
      ['line 1', 1],
      ['line 2', 2],
    ])
  })
})

const part = (text: string) => ({ type: 'text', text, cache_prompt: false })

const sdkAction = (call: string, fields: object = {}) => ({
  id: `action ${call}`,
  source: 'agent',
  kind: 'ActionEvent',
  thought: [part('I look.')],
  tool_name: 'terminal',
  tool_call_id: call,
  tool_call: { id: call, name: 'terminal', arguments: '{"command":"ls"}' },
  llm_response_id: `answer ${call}`,
  ...fields,
})

const sdkObservation = (call: string, seen: unknown, fields: object = {}) => ({
  id: `observation ${call}`,
  source: 'environment',
  kind: 'ObservationEvent',
  tool_name: 'terminal',
  tool_call_id: call,
  observation: seen,
  ...fields,
})

describe('events of the SDK', () => {
  test('actions are calls, observations results whose text is a list of texts', () => {
    const conversation = read([
      {
        id: '0',
        source: 'agent',
        kind: 'SystemPromptEvent',
        system_prompt: part('be'),
        dynamic_context: part('here'),
        tools: [{ name: 'terminal' }],
      },
      {
        id: '1',
        source: 'user',
        kind: 'MessageEvent',
        llm_message: { role: 'user', content: [part('go')] },
        extended_content: [part('rule')],
      },
      sdkAction('a', { llm_response_id: 'answer' }),
      sdkAction('b', { llm_response_id: 'answer', thought: [] }),
      sdkObservation('a', { content: [part('x'), part('y')], is_error: false }),
      { id: '2', source: 'environment', kind: 'ConversationStateUpdateEvent', key: 'k', value: 1 },
      sdkObservation('b', { content: 'z', is_error: true }, { extended_content: [part('rule')] }),
    ])
    expect(conversation.toolSchemas).toBe('[{"name":"terminal"}]')
    expect(conversation.messages.map(({ role, contents }) => [role, contents.length])).toEqual([
      ['system', 2],
      ['user', 2],
      ['assistant', 1],
      ['tool', 0],
      ['tool', 1],
    ])
    expect(conversation).toMatchObject({
      turnCount: 1,
      calls: [{ argumentsPreview: '{"command":"ls"}' }, { id: 'b' }],
      results: [
        { callId: 'a', shape: 'text', length: 2 },
        { callId: 'b', shape: 'text', errorRules: ['flag'] },
      ],
    })
  })

  test('errors of the agent and rejected calls are results too, images no text', () => {
    const result = (kind: string, fields: object) => ({
      id: kind,
      source: 'agent',
      kind,
      tool_name: 'terminal',
      tool_call_id: 'a',
      ...fields,
    })
    const { results } = read([
      sdkAction('a'),
      result('AgentErrorEvent', { error: 'no such tool' }),
      result('UserRejectObservation', { rejection_reason: 'no' }),
      sdkObservation('a', { content: [part('x'), { type: 'image', image_urls: [] }] }),
      sdkObservation('a', { output: 'first versions' }),
    ])
    expect(
      results.map(({ shape, errorRules, slots }) => [shape, errorRules, slots.length]),
    ).toEqual([
      ['text', ['flag'], 1],
      ['text', [], 1],
      ['other', [], 0],
      ['text', [], 1],
    ])
  })

  test('events a line each are one conversation', () => {
    const text = [sdkAction('a'), sdkObservation('a', { content: [part('x')] })]
      .map((event) => JSON.stringify(event))
      .join('\n')
    const { evidence, conversations } = readDocument(text)
    expect(evidence).toEqual({ shape: 'event_lines', lists: 1, marks: ['observation', 'kind'] })
    expect(conversations).toMatchObject([{ turnCount: 1, results: [{ turn: 0 }] }])
  })
})

describe('logs of completions', () => {
  const messages = [
    { role: 'user', content: [part('go')] },
    response('r', ['a']).choices[0]?.message,
    { role: 'tool', tool_call_id: 'a', name: 'execute_bash', content: 'x' },
  ]
  const log = { messages, response: response('r', ['b']), timestamp: 1, cost: 0.1 }

  test('a log is a conversation that ends with its answer', () => {
    const conversation = read({ ...log, kwargs: { tools: [{ name: 'bash' }] } })
    expect(conversation).toMatchObject({
      label: 'messages',
      model: 'gpt-5',
      toolSchemas: '[{"name":"bash"}]',
      turnCount: 2,
    })
  })

  test('where calls were put into words, the worded result is masked with its result', () => {
    const [user, called] = messages
    const result = { role: 'tool', name: 'execute_bash', content: 'x' }
    const calls = [
      ...[user, called, { ...result, tool_call_id: 'a' }],
      ...[response('r', ['c']).choices[0]?.message, { ...result, tool_call_id: 'c' }],
    ]
    const worded = calls.map((message, index) =>
      message?.role === 'tool'
        ? { role: 'user', content: [part(`EXECUTION RESULT of [execute_bash]:\nx`)] }
        : { role: message?.role, content: `words ${index}` },
    )
    const value = {
      ...log,
      messages: worded,
      fncall_messages: calls,
      fncall_response: log.response,
    }
    const conversation = read(value)
    expect(conversation).toMatchObject({ label: 'fncall_messages', turnCount: 3 })
    expect(conversation.results.map(({ twins }) => twins)).toEqual([1, 1])
    expectStableMasking(JSON.stringify(value), 'openhands')
  })
})

describe('what is of the wrong type', () => {
  const good = turn(1, 'a')
  const sdk = [sdkAction('a'), sdkObservation('a', { content: 'x' })]
  test.each([
    [
      'arguments',
      [...good, action(3, { args: 'ls' })],
      '[2].args is a text; expected an object, the arguments.',
      '"ls"',
    ],
    [
      'content',
      [...good, observation(3, 1, { content: 7 })],
      '[2].content is a number; expected a text, the output.',
      '7,',
    ],
    [
      'an event',
      { events: [...good, 'x'] },
      'events[2] is a text, not a message; it was left alone.',
      '"x"]',
    ],
    [
      'an observation of the SDK',
      [...sdk, sdkObservation('b', 'none')],
      '[2].observation is a text; expected an object, what the tool gave.',
      '"none"',
    ],
    [
      'its content',
      [...sdk, sdkObservation('b', { content: 7 })],
      '[2].observation.content is a number; expected a text or a list of parts, the output.',
      '7}',
    ],
    [
      'a message of the SDK',
      [...sdk, { id: 'm', source: 'user', kind: 'MessageEvent', llm_message: [] }],
      '[2].llm_message is a list of 0 items; expected a message, an object with a "role".',
      '[]}',
    ],
    [
      'a call of the SDK',
      [...sdk, sdkAction('b', { tool_call: 'x' })],
      '[2].tool_call is a text; expected an object, the call as the model made it.',
      '"x"',
    ],
    [
      'an error of the SDK',
      [...sdk, { id: 'e', source: 'agent', kind: 'AgentErrorEvent', tool_call_id: 'a', error: 1 }],
      '[2].error is a number; expected a text, told to the model.',
      '1}',
    ],
    [
      'messages of a log',
      { messages: 'none', response: {}, timestamp: 1, cost: 1 },
      'messages is a text; expected a list of messages.',
      '"none"',
    ],
    [
      'a message of a log',
      { messages: [null], response: {}, timestamp: 1, cost: 1 },
      'messages[0] is null, not a message; it was left alone.',
      'null]',
    ],
  ])('%s: a sentence with its place', (_, value, sentence, at) => {
    const { format, said } = complaintsOf(JSON.stringify(value))
    expect(format).toBe('openhands')
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })

  test('cut off, the place is the end', () => {
    for (const value of [turn(1, 'a'), [sdkAction('a')]]) {
      const text = JSON.stringify(value).slice(0, -9)
      expect(complaintsOf(text)).toMatchObject({ format: 'unread', said: [[/looks cut off/, '']] })
    }
  })
})

test.each([
  ['chat completions', [{ role: 'user', content: 'x', source: 'agent', action: 'run' }]],
  ['a request and its answer', { messages: [{ role: 'user', content: 'x' }], response: {} }],
  ['steps', { messages: [{ role: 'user', content: 'x' }], steps: [{ action: 'x', args: {} }] }],
])('%s are not taken for it', (_, value) => {
  expect(complaintsOf(JSON.stringify(value)).format).toBe('openai-chat')
})

test('any events are masked at results and what repeats them, and stay so when masked again', () => {
  const anyExtras = fc.dictionary(fc.constantFrom('diff', 'new_content', 'command'), anyText)
  const anyTurn = fc.record({ content: anyText, extras: anyExtras, isPlain: fc.boolean() })
  fc.assert(
    fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 6 }), (turns) => {
      const events = turns.flatMap(({ isPlain, ...fields }, index) =>
        isPlain
          ? [action(index * 2), observation(index * 2 + 1, index * 2, fields)]
          : turn(index * 2, `call_${index}`, fields),
      )
      expectStableMasking(JSON.stringify(events), 'openhands')
      const sdk = turns.flatMap(({ content, extras }, index) => [
        sdkAction(`call_${index}`),
        sdkObservation(`call_${index}`, { ...extras, content: [part(content), part('end')] }),
      ])
      expectStableMasking(JSON.stringify({ items: sdk }), 'openhands')
    }),
  )
})
