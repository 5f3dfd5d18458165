import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { sentenceThrownBy } from '../../testing/spoken'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

const ASK = { type: 'user_input', content: [{ type: 'text', text: 'go' }] }
const SAY = { type: 'model_output', content: [{ type: 'text', text: 'Done.' }] }
const THINK = { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Look.' }] }
const call = (id: unknown, name: unknown = 'read') => ({
  type: 'function_call',
  id,
  name,
  arguments: { path: 'a' },
})
const result = (id: unknown, value: unknown) => ({
  type: 'function_result',
  call_id: id,
  name: 'read',
  result: value,
})
const bodyOf = (...input: unknown[]) => ({
  model: 'gemini-3-flash',
  system_instruction: 'Be brief.',
  tools: [{ type: 'function', name: 'read' }],
  input,
})

const STEPS = [ASK, THINK, call('a'), call('b'), result('a', 'x'), result('b', 'y'), SAY]

describe('shapes', () => {
  test.each([
    ['a request', bodyOf(...STEPS), 'request_body', 'input'],
    ['an interaction', { object: 'interaction', steps: STEPS }, 'nested_lists', 'steps'],
    ['a list of steps', STEPS, 'message_array', 'messages'],
  ])('%s', (_, value, shape, label) => {
    const { format, evidence, conversations, problems } = readDocument(JSON.stringify(value))
    expect([format.id, problems]).toEqual(['gemini', []])
    expect(evidence).toEqual({
      shape,
      lists: 1,
      marks: ['user_input', 'thought', 'function_call', 'function_result'],
    })
    expect(conversations).toMatchObject([{ label, opening: 'go', turnCount: 1 }])
  })

  test('items of Responses are read as such', () => {
    const items = [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
    ]
    expect(readDocument(JSON.stringify(items)).format.id).toBe('openai-responses')
  })
})

test('events of other programs with the same types are not read', () => {
  const events = [{ type: 'user_input', text: 'go' }, { type: 'model_output' }]
  expect(sentenceThrownBy(() => readDocument(JSON.stringify(events)))).toMatch('not a conversation')
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
  [7, 'input[1] is a number, not a message; it was skipped.', '7'],
])('%j is a problem', (step, sentence, at) => {
  const { format, problems } = problemsOf(JSON.stringify(bodyOf(ASK, step, SAY)))
  expect(format).toBe('gemini')
  expect(problems).toHaveLength(1)
  expect(problems[0]?.[0]).toContain(sentence)
  expect(problems[0]?.[1]?.startsWith(at)).toBe(true)
})

test('masking any conversation changes only the listed strings, and masking again changes nothing', () => {
  const anyId = fc.constantFrom('a', 'b', '__proto__')
  const anyValue = fc.oneof(
    anyText,
    fc.array(anyText.map((text) => ({ type: 'text', text }))),
    fc.dictionary(anyText, anyText),
  )
  const anyStep = fc.oneof(
    anyId.map((id) => call(id)),
    fc.record({ id: anyId, value: anyValue }).map(({ id, value }) => result(id, value)),
    fc.constantFrom<object>(ASK, SAY, THINK),
  )
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 20 }), (steps) => {
      expectStableMasking(JSON.stringify(bodyOf(ASK, ...steps)), 'gemini')
    }),
    fuzz(100),
  )
})
