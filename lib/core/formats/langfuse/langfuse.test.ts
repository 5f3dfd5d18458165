import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages } from '../../testing/chat-messages'
import { turnOf } from '../../testing/conversation-of'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'

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

describe('a value of the wrong type', () => {
  test.each([
    [
      'an observation',
      { observations: [generation('1', MESSAGES), 7] },
      'observations[1] is a number, not a message; it was skipped.',
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
      '[0].input[5] is null, not a message; it was skipped.',
      'null]',
    ],
    [
      'messages',
      [generation('1', MESSAGES), generation('2', { messages: 'none' })],
      '[1].input.messages is a text; expected a list of messages, objects with a "role".',
      '"none"',
    ],
    [
      'the time of an exported observation',
      [
        { id: '1', trace_id: 't', type: 'GENERATION', start_time: '2026-11-22', input: MESSAGES },
        { id: '2', trace_id: 't', type: 'GENERATION', start_time: 7 },
      ],
      '[1].start_time is a number; expected a text, as observations have.',
      '7}',
    ],
    [
      'all inputs',
      { observations: [generation('1', 'what?')] },
      'observations[0].input is a text; expected a list of messages, as requests to a model have, in at least one observation.',
      '"what?"',
    ],
  ])('gives a sentence with its place: %s', (_, value, sentence, at) => {
    const { problems } = problemsOf(JSON.stringify(value))
    expect(problems.map(([first]) => first)).toEqual([sentence])
    expect(problems[0]?.[1].startsWith(at)).toBe(true)
  })

  test('a document cut in half gives the position of its end', () => {
    const text = JSON.stringify({ observations: [generation('1', MESSAGES)] }).slice(0, -9)
    expect(problemsOf(text)).toMatchObject({ format: 'unread', problems: [[/looks cut off/, '']] })
  })
})

describe('a value of the wrong type in a batch of events', () => {
  const event = (type: string, body: unknown, second = 1) => ({
    id: `${type} ${second}`,
    type,
    timestamp: `2026-11-22T09:00:0${second}.000Z`,
    body,
  })
  const CREATED = { id: 'g', traceId: 't', name: 'chat', model: 'gpt-5' }

  test.each([
    [
      'a body',
      [event('span-create', 7), event('generation-create', { ...CREATED, input: MESSAGES })],
      'batch[0].body is a number; expected an object, the observation or trace.',
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
      'batch[1] is a number, not a message; it was skipped.',
      '8]',
    ],
    [
      'all inputs',
      [event('trace-create', { id: 't' }), event('generation-create', { ...CREATED, input: 'x' })],
      'batch[1].body.input is a text; expected a list of messages, as requests to a model have, in at least one observation.',
      '"x"',
    ],
  ])('gives a sentence with its place: %s', (_, batch, sentence, at) => {
    const { problems } = problemsOf(JSON.stringify({ batch }))
    expect(problems.map(([first]) => first)).toEqual([sentence])
    expect(problems[0]?.[1].startsWith(at)).toBe(true)
  })
})

test('messages with a type and a time are not recognised as observations', () => {
  const message = { role: 'user', content: 'x', type: 'TEXT', startTime: '2026-11-22' }
  expect(problemsOf(JSON.stringify([message])).format).toBe('openai-chat')
})

test('any trace is masked at its results and their duplicates only, and masking it again changes nothing', () => {
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
    fuzz(100),
  )
})
