import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyMessages, anyText, type ChatMessage } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const MASK_ALL = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

const PROMPT = { role: 'user', content: 'go', agent: 'main', message_type: 'observation' }

const act = (id: string, action = 'ls') => ({
  role: 'assistant',
  content: 'I look.',
  thought: 'I look.',
  action,
  agent: 'main',
  message_type: 'action',
  tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }],
})

const observe = (id: string, content: unknown) => ({
  role: 'tool',
  content,
  agent: 'main',
  message_type: 'observation',
  tool_call_ids: [id],
})

const HISTORY = [PROMPT, act('a'), observe('a', 'one $'), act('b', 'cat'), observe('b', 'two $')]

const step = (action: string, observation: string, rest: object = {}) => ({
  action,
  observation,
  response: 'I look.',
  thought: 'I look.',
  ...rest,
})

const STEPS = [step('ls', 'one'), step('cat', 'two')]

function read(value: unknown) {
  const { conversations, ...document } = readDocument(JSON.stringify(value))
  expect(document.format.id).toBe('swe-agent')
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

function maskAll(value: unknown): unknown {
  const text = JSON.stringify(value)
  return JSON.parse(maskDocument({ text, ...readDocument(text) }, MASK_ALL).text)
}

describe('histories with tool calls', () => {
  test('a result is tied by the first of its ids, and may be a list of parts', () => {
    const { results, label } = read({
      trajectory: STEPS,
      history: [PROMPT, act('a'), observe('a', [{ type: 'text', text: 'one' }])],
    })
    expect(label).toBe('history')
    expect(results).toMatchObject([{ callId: 'a', turn: 0, shape: 'text_parts' }])
  })

  test('a bare list of such messages is a conversation', () => {
    const { evidence } = readDocument(JSON.stringify(HISTORY))
    expect(evidence.shape).toBe('message_array')
    expect(evidence.marks).toContain('tool_call_ids')
    expect(read(HISTORY)).toMatchObject({ turnCount: 2, results: [{ turn: 0 }, { turn: 1 }] })
  })

  test('lines of trajectories are a conversation each', () => {
    const line = JSON.stringify({ trajectory: STEPS, history: HISTORY })
    const { conversations } = readDocument(`${line}\n${line}`)
    expect(conversations.map(({ label }) => label)).toEqual(['line 1, history', 'line 2, history'])
  })
})

describe('what steps repeat', () => {
  const elided = 'Old environment output: (1 lines omitted)'

  test('the observation of the step and the messages of every request are masked with the result', () => {
    const query = HISTORY.slice(0, 3)
    const cached = [PROMPT, act('a'), observe('a', [{ type: 'text', text: 'one $' }])]
    const short = [PROMPT, observe('a', 'one $')]
    const changed = [PROMPT, act('a'), observe('a', elided)]
    const [first, second] = STEPS
    const steps = [
      first,
      ...[query, cached, short, changed].map((one) => ({ ...second, query: one })),
    ]
    const masked = maskAll({ trajectory: steps, history: HISTORY }) as {
      trajectory: { observation: string; query: { content: unknown }[] }[]
      history: { content: string }[]
    }
    const placeholder = masked.history[2]?.content
    expect(placeholder).toContain('tool_call_id=a')
    expect(masked.trajectory.map(({ observation }) => observation)).toEqual([
      ...[placeholder, 'two', 'two', 'two', 'two'],
    ])
    expect(masked.trajectory.map(({ query: one }) => one?.at(-1)?.content)).toEqual([
      undefined,
      placeholder,
      [{ type: 'text', text: placeholder }],
      placeholder,
      elided,
    ])
  })

  test('equal outputs are told apart by where they stand', () => {
    const history = [PROMPT, ...['a', 'b', 'c'].flatMap((id) => [act(id), observe(id, 'same')])]
    const last = step('ls', 'same', { query: history.slice(0, 5) })
    const value = { trajectory: [step('ls', 'same'), step('ls', 'same'), last], history }
    const { results } = read(value)
    expect(results.map(({ twins }) => twins)).toEqual([2, 2, 1])
    expect(results[1]?.slots.map(({ pointer }) => pointer)).toEqual([
      '/history/4/content',
      '/trajectory/1/observation',
      '/trajectory/2/query/4/content',
    ])
  })
})

test('each attempt of an agent that tries again is a conversation, the best one stands outside too', () => {
  const attempt = { trajectory: STEPS, history: HISTORY, info: {} }
  const replay_config = JSON.stringify({ agent: { model: { name: 'gpt-5' } } })
  const text = JSON.stringify({ attempts: [attempt, attempt], ...attempt, replay_config })
  const { conversations } = readDocument(text)
  expect(conversations.map(({ label }) => label)).toEqual([
    ...['history', 'attempts[0].history', 'attempts[1].history'],
  ])
  expect(conversations[0]?.model).toBe('gpt-5')
  expectStableMasking(text, 'swe-agent')
})

describe('histories without tool calls', () => {
  const say = (action: string) => ({
    role: 'assistant',
    content: 'x',
    thought: 'x',
    action,
    agent: 'p',
  })
  const see = (content: string) => ({ role: 'user', content, agent: 'p' })

  test('an action is a call named by its command, and the next message answers it', () => {
    const { calls, results, turnCount } = read({
      trajectory: STEPS,
      history: [
        see('go'),
        say('open a.py'),
        see('a'),
        say('open b.py 3\n'),
        see('b'),
        say('submit'),
      ],
    })
    expect(turnCount).toBe(3)
    expect(calls.map(({ id, name, argumentsPreview }) => [id, name, argumentsPreview])).toEqual([
      ['open-1', 'open', 'open a.py'],
      ['open-2', 'open', 'open b.py 3'],
      ['submit-1', 'submit', 'submit'],
    ])
    expect(results.map(({ callId, toolName }) => [callId, toolName])).toEqual([
      ['open-1', 'open'],
      ['open-2', 'open'],
    ])
  })

  test('the action is not counted beside the text it stands in', () => {
    const { messageTexts } = read({ trajectory: STEPS, history: [see('go'), say('ls'), see('a')] })
    expect(messageTexts[1]).toMatchObject({ contents: ['x'], calls: [] })
  })

  test('no action, no answer: demonstrations and plain messages stay', () => {
    const demonstration = { ...see('shown'), is_demo: true }
    const { results } = read({
      trajectory: STEPS,
      history: [say('ls'), demonstration, say(' '), see('what?'), say('ls'), see('a')],
    })
    expect(results.map(({ message }) => message)).toEqual([5])
  })

  test.each([
    ['the steps', STEPS, 'trajectory', 4, ['/trajectory/0/observation']],
    [
      'the last request and its step',
      [STEPS[0], { ...STEPS[1], query: [see('go'), say('ls'), see('one $')] }],
      'trajectory[1].query',
      5,
      ['/trajectory/1/query/2/content', '/trajectory/0/observation'],
    ],
    [
      'the last messages',
      [
        STEPS[0],
        { ...STEPS[1], messages: [see('go'), say('ls'), see('one $'), say('cat'), see('2')] },
      ],
      'trajectory[1].messages',
      5,
      ['/trajectory/1/messages/2/content', '/trajectory/0/observation'],
    ],
  ])('without a history %s are the conversation', (_, trajectory, label, length, pointers) => {
    const conversation = read({ trajectory })
    expect(conversation).toMatchObject({ label, turnCount: 2 })
    expect(conversation.messages).toHaveLength(length)
    expect(conversation.results).toHaveLength(2)
    expect(conversation.results[0]?.slots.map(({ pointer }) => pointer)).toEqual(pointers)
  })
})

describe('mini-swe-agent', () => {
  const prompt = { role: 'user', content: 'End with echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT' }
  const block = (command: string) => ({
    role: 'assistant',
    content: `THOUGHT\n\n\`\`\`mswea_bash_command\n${command}\n\`\`\``,
  })
  const output = (content: string, extra?: object) => ({ role: 'user', content, extra })

  test('the one block of a message is a call of bash, the next message its output', () => {
    const list = [prompt, block('ls'), output('<returncode>0</returncode>')]
    expect(read(list)).toMatchObject({
      calls: [{ id: 'bash-1', name: 'bash', argumentsPreview: 'ls', argumentsAt: undefined }],
      results: [{ callId: 'bash-1', message: 2 }],
    })
  })

  test('blocks are read in all its writings, and only where there is one', () => {
    const contents = [
      '```bash\nls\n```',
      '```bash\nls\n```\nthen\n```bash\npwd\n```',
      '<mswea_bash_command>ls</mswea_bash_command>',
      '```mswea_bash_command\n```',
      '```bash\nls',
      'no command',
    ]
    const { calls } = read([
      prompt,
      ...contents.flatMap((content) => [{ role: 'assistant', content }, output('x')]),
    ])
    expect(calls.map(({ message, argumentsPreview }) => [message, argumentsPreview])).toEqual([
      [1, 'ls'],
      [5, 'ls'],
      [7, ''],
    ])
  })

  test('a complaint about the format is no output, an exception is an error', () => {
    const { results } = read({
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [
        { role: 'user', content: 'go' },
        block('ls'),
        output('Please give one action.', { interrupt_type: 'FormatError' }),
        block('ls'),
        output('timed out', { raw_output: '', exception_info: 'TimeoutExpired' }),
      ],
    })
    expect(results).toMatchObject([{ message: 4, errorRules: ['flag'], twins: 0 }])
  })

  test('what the template was filled with is masked with the result', () => {
    const call = (id: string) => ({ id, function: { name: 'bash', arguments: '{"command":"ls"}' } })
    const turn = (id: string) => [
      { role: 'assistant', content: '', tool_calls: [call(id)], extra: { actions: [] } },
      { role: 'tool', tool_call_id: id, content: '<output>x</output>', extra: { raw_output: 'x' } },
    ]
    const messages = [prompt, ...turn('a'), ...turn('b')]
    const masked = maskAll({
      info: { config: { model: { model_name: 'gpt-5' } } },
      messages,
      trajectory_format: 'mini-swe-agent-1.1',
    }) as { messages: { content: string; extra: { raw_output: string } }[] }
    const [, , first, , last] = masked.messages
    expect(first?.content).toContain('tool_call_id=a')
    expect(first?.extra.raw_output).toBe(first?.content)
    expect(last?.extra.raw_output).toBe('x')
  })
})

describe('mini-swe-agent with the Responses API', () => {
  const response = (...ids: string[]) => ({
    id: 'resp',
    object: 'response',
    model: 'gpt-5',
    output: [
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look' }] },
      ...ids.map((id) => ({
        ...{ type: 'function_call', call_id: id, name: 'bash', arguments: '{"command":"ls"}' },
      })),
    ],
    extra: { actions: ids.map((id) => ({ command: 'ls', tool_call_id: id })) },
  })
  const output = (id: string, text: string, more: object = {}) => ({
    type: 'function_call_output',
    call_id: id,
    output: `<output>${text}</output>`,
    extra: { raw_output: text, returncode: 0, ...more },
  })
  const trajectory = (...messages: unknown[]) => ({
    info: { config: { model: { model_name: 'openai/gpt-5' } } },
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'go' },
      ...messages,
    ],
    trajectory_format: 'mini-swe-agent-1.1',
  })
  const MESSAGES = [
    response('a', 'b'),
    output('a', 'one of the outputs'),
    output('b', 'cut', { exception_info: 'timed out' }),
    response('c'),
    output('c', 'another output'),
    { role: 'exit', content: 'done', extra: {} },
  ]

  test('the items of an answer are one message, its outputs are masked with what they were made of', () => {
    const value = trajectory(...MESSAGES)
    const conversation = read(value)
    expect(conversation).toMatchObject({
      model: 'openai/gpt-5',
      turnCount: 2,
      results: [
        { callId: 'a', turn: 0, toolName: 'bash', twins: 1 },
        { callId: 'b', errorRules: ['flag'] },
        { callId: 'c', turn: 1 },
      ],
    })
    expect(conversation.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'exit'],
    ])
    expectStableMasking(JSON.stringify(value), 'swe-agent')
  })

  test('what is of the wrong type gets a sentence', () => {
    const broken = trajectory(
      ...MESSAGES,
      { ...response(), output: 'none' },
      { ...output('d', 'x'), output: 7 },
    )
    const { said } = complaintsOf(JSON.stringify(broken))
    expect(said.map(([sentence]) => sentence)).toEqual([
      'messages[8].output is a text; expected a list of items.',
      'messages[9].output is a number; expected a text or a list of parts.',
    ])
  })
})

describe('what is of the wrong type', () => {
  test.each([
    [
      'history',
      { trajectory: STEPS, history: 'none' },
      'history is a text; expected a list of messages.',
      '"none"',
    ],
    [
      'steps',
      { trajectory: 7, history: HISTORY },
      'trajectory is a number; expected a list of steps.',
      '7,',
    ],
    [
      'a step',
      { trajectory: [...STEPS, 'x'], history: HISTORY },
      'trajectory[2] is a text, not a message; it was left alone.',
      '"x"]',
    ],
    [
      'a message',
      { trajectory: STEPS, history: [...HISTORY, null] },
      'history[5] is null, not a message; it was left alone.',
      'null]',
    ],
    [
      'ids',
      [...HISTORY, { ...observe('c', 'x'), tool_call_ids: 'c' }],
      '[5].tool_call_ids is a text; expected a list with the id of the call it answers.',
      '"c"}',
    ],
    [
      'an action',
      [...HISTORY, { ...act('c'), action: ['ls'] }],
      '[5].action is a list of 1 item; expected a text, the action.',
      '["ls"]',
    ],
    [
      'content',
      [...HISTORY, { ...act('c'), content: 3 }],
      '[5].content is a number; expected a text or a list of parts.',
      '3,',
    ],
  ])('%s: a sentence with its place', (_, value, sentence, at) => {
    const { format, said } = complaintsOf(JSON.stringify(value))
    expect(format).toBe('swe-agent')
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })

  test('cut off, the place is the end', () => {
    const text = JSON.stringify({ trajectory: STEPS, history: HISTORY }).slice(0, -9)
    expect(complaintsOf(text)).toMatchObject({ format: 'unread', said: [[/looks cut off/, '']] })
  })
})

test.each([
  ['chat completions with a bash block', [{ role: 'assistant', content: '```bash\nls\n```' }]],
  ['a trajectory of another kind', { trajectory: [{ role: 'user', content: 'x' }] }],
  ['messages with an action of their own', [{ role: 'user', content: 'x', action: 'run' }]],
])('%s is not taken for it', (_, value) => {
  expect(complaintsOf(JSON.stringify(value)).format).toBe('openai-chat')
})

test('any trajectory is masked where it holds results, and stays as it is when masked again', () => {
  const mark = (message: ChatMessage) => ({
    ...message,
    agent: 'main',
    message_type: message.role === 'assistant' ? 'action' : 'observation',
    ...(message.role === 'tool' && { tool_call_ids: [message.tool_call_id] }),
    ...(message.role === 'assistant' && { action: 'ls', thought: '' }),
  })
  const anyStep = fc.record({
    observation: anyText,
    length: fc.nat(14),
    key: fc.constantFrom('query', 'messages'),
  })
  fc.assert(
    fc.property(anyMessages, fc.array(anyStep, { maxLength: 4 }), (messages, steps) => {
      const history = messages.map(mark)
      const trajectory = steps.map(({ observation, length, key }) =>
        step('ls', observation, { [key]: history.slice(0, length) }),
      )
      expectStableMasking(JSON.stringify({ trajectory, history }), 'swe-agent')
      expectStableMasking(JSON.stringify(history), 'swe-agent')
    }),
  )
})
