import { expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { savedConversationKey, writeSavedConversation } from './request-message'

test('writes messages with their times, which are read back', () => {
  const at = Date.parse('2026-11-20T10:00:00.000Z')
  const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } } as const
  const text = writeSavedConversation(
    [
      { message: { role: 'user', content: 'go' }, at: undefined },
      { message: { role: 'assistant', content: null, tool_calls: [call] }, at },
      { message: { role: 'tool', tool_call_id: 'a', name: 'read', content: 'ok' }, at: at + 500 },
      { message: { role: 'assistant', content: 'done' }, at: 1e300 },
    ],
    'gpt-5',
  )
  const time = { timestamp: '2026-11-20T10:00:00.000Z' }
  const later = { timestamp: '2026-11-20T10:00:00.500Z' }
  expect(JSON.parse(text)).toEqual({
    model: 'gpt-5',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: [call], ...time },
      { role: 'tool', content: 'ok', tool_call_id: 'a', name: 'read', ...later },
      { role: 'assistant', content: 'done' },
    ],
  })
  const [conversation] = readDocument(text).conversations
  expect(conversation?.turnCount).toBe(1)
  const times = conversation?.messages.map((message) => message.writtenAt)
  expect(times).toEqual([undefined, at, at + 500, undefined])
})

test('the key is the same for the same texts, and differs for others', () => {
  expect(savedConversationKey(['a', 'b'])).toBe(savedConversationKey(['a', 'b']))
  const keys = [[], [''], ['a', 'b'], ['ab'], ['b', 'a'], ['a', 'b', '']].map(savedConversationKey)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{16}$/)
})
