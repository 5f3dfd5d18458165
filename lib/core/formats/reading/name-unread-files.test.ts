import { expect, test } from 'vitest'
import { sentenceThrownBy } from '../../testing/spoken'
import { readDocument } from '../read-document'

const lines = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join('\n')

test('a transcript of Cursor has no results, and the sentence says so', () => {
  const said = { role: 'user', message: { content: [{ type: 'text', text: 'Run ls.' }] } }
  const call = { type: 'tool_use', name: 'Bash', input: { command: 'ls' } }
  const text = lines([said, { role: 'assistant', message: { content: [call] } }])
  expect(sentenceThrownBy(() => readDocument(text))).toMatch(
    'These are 2 lines of a transcript of Cursor',
  )
})

test('the changes of a VS Code chat name the command that writes the chat', () => {
  const text = lines([
    { kind: 0, v: { version: 3, requests: [] } },
    { kind: 2, k: ['requests'], v: [{ message: { text: 'Hello' }, response: [] }] },
  ])
  expect(sentenceThrownBy(() => readDocument(text))).toMatch('"Chat: Export Chat…"')
})

test('the wire log of the older Kimi CLI names the file beside it', () => {
  const event = (type: string, payload: object) => ({ timestamp: 1.5, message: { type, payload } })
  const text = lines([
    { type: 'metadata', protocol_version: '1.3' },
    event('TurnBegin', { user_input: 'Run ls.' }),
    event('ToolCall', { type: 'function', id: 'a', function: { name: 'Shell', arguments: '{}' } }),
    event('ToolResult', { tool_call_id: 'a', return_value: { output: 'a.ts' } }),
  ])
  expect(sentenceThrownBy(() => readDocument(text))).toMatch('expected "context.jsonl"')
})

test('other lines get the sentence about lines', () => {
  expect(
    sentenceThrownBy(() => readDocument(lines([{ kind: 1 }, { role: 'assistant', message: {} }]))),
  ).toMatch('These are 2 lines of JSON, but not a conversation')
})
