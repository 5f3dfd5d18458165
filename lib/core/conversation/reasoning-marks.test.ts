import { expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { reasoningMarksOf } from './reasoning-marks'

const signed = { type: 'thinking', thinking: 'so', signature: 'x' }

test.each([
  ['a text', 'text', []],
  [
    'blocks of other kinds',
    { content: ['text', 7, { type: 'thinking', thinking: ['so'] }, { reasoningContent: 'so' }] },
    [],
  ],
  ['an empty key', { reasoning_content: '' }, []],
  [
    'a part in snake case',
    { parts: [{ function_call: {}, thought_signature: 'x' }] },
    ['thought_signature'],
  ],
  [
    'a signature that is not on the first call',
    { parts: [{ functionCall: {} }, { functionCall: {}, thoughtSignature: 'x' }] },
    [],
  ],
  ['a kind twice', { content: [signed, signed] }, ['signed_thinking']],
])('the reasoning marks of %s', (_, value, marks) => {
  expect(reasoningMarksOf(value)).toEqual(marks)
})

test('a line of Claude Code has its reasoning marks in its message', () => {
  const toolUse = { type: 'tool_use', id: 'a', name: 'read', input: {} }
  const toolResult = { type: 'tool_result', tool_use_id: 'a', content: 'text' }
  const line = {
    type: 'assistant',
    sessionId: 's',
    message: { id: 'm', role: 'assistant', content: [signed, toolUse] },
  }
  const rest = { type: 'user', sessionId: 's', message: { role: 'user', content: [toolResult] } }
  const text = [line, rest].map((one) => JSON.stringify(one)).join('\n')
  const [conversation] = readDocument(text).conversations
  expect(conversation?.messages[0]?.reasoningMarks).toEqual(['signed_thinking'])
})
