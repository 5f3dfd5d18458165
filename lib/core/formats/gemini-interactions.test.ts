import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const ASK = { type: 'user_input', content: [{ type: 'text', text: 'go' }] }
const SAY = { type: 'model_output', content: [{ type: 'text', text: 'Done.' }] }
const THINK = { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Look.' }] }
const call = (id: unknown, name: unknown = 'read') => ({
  type: 'function_call',
  id,
  name,
  arguments: { path: 'a' },
})
const result = (id: unknown, given: unknown, more: object = {}) => ({
  type: 'function_result',
  call_id: id,
  name: 'read',
  result: given,
  ...more,
})
const bodyOf = (...input: unknown[]) => ({
  model: 'gemini-3-flash',
  system_instruction: 'Be brief.',
  tools: [{ type: 'function', name: 'read' }],
  input,
})

function read(value: unknown) {
  const { format, conversations, problems, evidence } = readDocument(JSON.stringify(value))
  expect([format.id, problems]).toEqual(['gemini', []])
  return { evidence, conversations, conversation: conversations[0] }
}

const STEPS = [ASK, THINK, call('a'), call('b'), result('a', 'x'), result('b', 'y'), SAY]

describe('shapes', () => {
  test.each([
    ['a request', bodyOf(...STEPS), 'request_body', 'input'],
    ['an interaction', { object: 'interaction', steps: STEPS }, 'nested_lists', 'steps'],
    ['a list of steps', STEPS, 'message_array', 'messages'],
  ])('%s', (_, value, shape, label) => {
    const { evidence, conversations } = read(value)
    expect(evidence).toEqual({
      shape,
      lists: 1,
      marks: ['user_input', 'thought', 'function_call', 'function_result'],
    })
    expect(conversations).toMatchObject([{ label, opening: 'go', turnCount: 1 }])
  })

  test('a request has its system text, model and tools; answers beside it are left out', () => {
    const { conversations } = read([
      { request: bodyOf(...STEPS), response: { steps: [THINK, SAY] } },
    ])
    expect(conversations).toMatchObject([
      {
        model: 'gemini-3-flash',
        toolSchemas: '[{"type":"function","name":"read"}]',
        messages: [
          { role: 'system' },
          { role: 'user' },
          { role: 'assistant', turn: 0, more: [{}, {}] },
          { role: 'tool' },
          { role: 'tool' },
          { role: 'assistant' },
        ],
      },
    ])
    expect(conversations[0]?.messages[2]?.reasoning).toHaveLength(1)
  })

  test('what is sent to a kept interaction may be results alone', () => {
    const { conversation } = read({ previous_interaction_id: 'v1', input: [result('a', 'x')] })
    expect(conversation?.results).toMatchObject([{ callId: 'a', turn: undefined, chars: 1 }])
  })

  test('turns with roles, as they were written before steps', () => {
    const { conversation, evidence } = read({
      input: [
        { role: 'user', content: 'go' },
        { role: 'model', content: [{ type: 'text', text: 'Look.' }, call('a')] },
        { role: 'user', content: [result('a', { rows: 'x' })] },
      ],
    })
    expect(evidence.marks).toEqual(['text', 'function_call', 'function_result'])
    expect(conversation).toMatchObject({
      messages: [{ isAssistant: false }, { isAssistant: true, turn: 0 }, { role: 'user' }],
      results: [{ turn: 0, slots: [{ pointer: '/input/2/content/0/result/rows' }] }],
    })
  })

  test('items of Responses are not claimed', () => {
    const items = [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
    ]
    expect(readDocument(JSON.stringify(items)).format.id).toBe('openai-responses')
  })
})

test('events of other programs with such a type are not claimed', () => {
  const events = [{ type: 'user_input', text: 'go' }, { type: 'model_output' }]
  expect(() => readDocument(JSON.stringify(events))).toThrow('no conversation')
})

describe('results', () => {
  const IMAGE = { type: 'image', mime_type: 'image/png', data: 'AA' }
  const text = (said: string) => ({ type: 'text', text: said })
  test.each([
    ['a text', result('a', 'x'), { shape: 'text', chars: 1 }],
    ['texts', result('a', [text('x'), text('yz')]), { shape: 'text', chars: 3 }],
    ['an object', result('a', { rows: ['x', 'yz'], n: 1 }), { shape: 'text', chars: 3 }],
    ['an object with an error', result('a', { error: 'x' }), { errorRules: ['json_error'] }],
    ['an error', result('a', 'x', { is_error: true }), { errorRules: ['flag'] }],
    ['a text beside an image', result('a', [text('x'), IMAGE]), { shape: 'other', slots: [] }],
    ['an object without texts', result('a', { n: 1 }), { shape: 'other', slots: [] }],
  ])('%s', (_, given, expected) => {
    const { conversation } = read(bodyOf(ASK, call('a'), given))
    expect(conversation?.results).toMatchObject([{ turn: 0, toolName: 'read', ...expected }])
  })

  test('what the provider ran is call and result in the answer, and stays', () => {
    const { conversation } = read(
      bodyOf(
        ASK,
        { type: 'code_execution_call', id: 'c', arguments: { code: '1' }, signature: 's' },
        { type: 'code_execution_result', call_id: 'c', result: '1', signature: 's' },
        SAY,
      ),
    )
    expect(conversation).toMatchObject({
      messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant', turn: 0 }],
      results: [{ callId: 'c', toolName: 'code_execution', shape: 'other', slots: [] }],
    })
  })
})

test.each([
  [call(7), 'input[1].id is a number; expected the id of the call, a text.', '7'],
  [call('a', 7), 'input[1].name is a number; expected a text.', '7'],
  [result(7, 'x'), 'input[1].call_id is a number; expected the id of a call, a text.', '7'],
  [result('a', 7), 'input[1].result is a number; expected a text, a list of content or an', '7'],
  [{ type: 'user_input', content: 7 }, 'input[1].content is a number; expected a text or a', '7'],
  [
    { type: 'model_output', content: ['x'] },
    'input[1].content[0] is a text; expected content, an object with a "type".',
    '"x"',
  ],
  [
    { type: 'user_input', content: [{ type: 'text', text: 7 }] },
    'input[1].content[0].text is a number; expected a text.',
    '7',
  ],
  [7, 'input[1] is a number, not a message; it was left alone.', '7'],
])('%j gets a sentence', (step, sentence, at) => {
  const { format, said } = complaintsOf(JSON.stringify(bodyOf(ASK, step, SAY)))
  expect(format).toBe('gemini')
  expect(said).toHaveLength(1)
  expect(said[0]?.[0]).toContain(sentence)
  expect(said[0]?.[1]?.startsWith(at)).toBe(true)
})

test('whatever is called and given, masking changes the listed strings and nothing else, once', () => {
  const anyId = fc.constantFrom('a', 'b', '__proto__')
  const given = fc.oneof(
    anyText,
    fc.array(anyText.map((said) => ({ type: 'text', text: said }))),
    fc.dictionary(anyText, anyText),
  )
  const anyStep = fc.oneof(
    anyId.map((id) => call(id)),
    fc.record({ id: anyId, given }).map(({ id, given: what }) => result(id, what)),
    fc.constantFrom<object>(ASK, SAY, THINK),
  )
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 20 }), (steps) => {
      expectStableMasking(JSON.stringify(bodyOf(ASK, ...steps)), 'gemini')
    }),
  )
})
