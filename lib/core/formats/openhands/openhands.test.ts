import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'

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

describe('a value of the wrong type', () => {
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
      'events[2] is a text, not a message; it was skipped.',
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
      '[2].llm_message is an empty list; expected a message, an object with a "role".',
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
      '[2].error is a number; expected a text, as sent to the model.',
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
      'messages[0] is null, not a message; it was skipped.',
      'null]',
    ],
  ])('gives a sentence with its place: %s', (_, value, sentence, at) => {
    const { format, problems } = problemsOf(JSON.stringify(value))
    expect(format).toBe('openhands')
    expect(problems.map(([first]) => first)).toEqual([sentence])
    expect(problems[0]?.[1].startsWith(at)).toBe(true)
  })

  test('a document cut in half gives the position of its end', () => {
    for (const value of [turn(1, 'a'), [sdkAction('a')]]) {
      const text = JSON.stringify(value).slice(0, -9)
      expect(problemsOf(text)).toMatchObject({
        format: 'unread',
        problems: [[/looks cut off/, '']],
      })
    }
  })
})

test.each([
  ['chat completions', [{ role: 'user', content: 'x', source: 'agent', action: 'run' }]],
  ['a request and its answer', { messages: [{ role: 'user', content: 'x' }], response: {} }],
  ['steps', { messages: [{ role: 'user', content: 'x' }], steps: [{ action: 'x', args: {} }] }],
])('%s are not recognised', (_, value) => {
  expect(problemsOf(JSON.stringify(value)).format).toBe('openai-chat')
})

test('any events are masked at results and their duplicates only, and masking them again changes nothing', () => {
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
    fuzz(100),
  )
})
