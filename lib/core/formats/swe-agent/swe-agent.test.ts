import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages, anyText, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'

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

describe('a value of the wrong type', () => {
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
      'trajectory[2] is a text, not a message; it was skipped.',
      '"x"]',
    ],
    [
      'a message',
      { trajectory: STEPS, history: [...HISTORY, null] },
      'history[5] is null, not a message; it was skipped.',
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
  ])('gives a sentence with its place: %s', (_, value, sentence, at) => {
    const { format, problems } = problemsOf(JSON.stringify(value))
    expect(format).toBe('swe-agent')
    expect(problems.map(([first]) => first)).toEqual([sentence])
    expect(problems[0]?.[1].startsWith(at)).toBe(true)
  })

  test('a document cut in half gives the position of its end', () => {
    const text = JSON.stringify({ trajectory: STEPS, history: HISTORY }).slice(0, -9)
    expect(problemsOf(text)).toMatchObject({ format: 'unread', problems: [[/looks cut off/, '']] })
  })
})

test.each([
  ['chat completions with a bash block', [{ role: 'assistant', content: '```bash\nls\n```' }]],
  ['a trajectory of another kind', { trajectory: [{ role: 'user', content: 'x' }] }],
  ['messages with another "action"', [{ role: 'user', content: 'x', action: 'run' }]],
])('%s is not recognised', (_, value) => {
  expect(problemsOf(JSON.stringify(value)).format).toBe('openai-chat')
})

test('any trajectory is masked at its results only, and masking it again changes nothing', () => {
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
    fuzz(100),
  )
})
