import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import {
  countConversation,
  countMessageTokens,
  countRequestTokens,
  requestTokens,
} from './count-conversation'

/** One token a character makes every sum one a reader can redo. */
const countCharacters = (text: string) => text.length

const assistant = {
  role: 'assistant',
  name: undefined,
  contents: ['abc', 'de'],
  calls: [
    { name: 'read', arguments: '{"a":1}' },
    { name: '', arguments: '' },
  ],
}

describe('the tokens of a message', () => {
  test('are its role, its contents, its calls and their overheads', () => {
    // 3 + assistant 9 + 3 + 2, calls: 8 + 4 + 7 and 8.
    expect(countMessageTokens(assistant, countCharacters)).toBe(3 + 9 + 5 + 19 + 8)
  })

  test('grow by a name and its overhead', () => {
    const named = { role: 'user', name: 'bob', contents: [], calls: [] }
    expect(countMessageTokens(named, countCharacters)).toBe(3 + 4 + 1 + 3)
  })

  test('are the same by conversation and by request', () => {
    const tools = [{ type: 'function', function: { name: 'read' } }]
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'two' }, { type: 'image_url' }] },
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'read', arguments: {} } }] },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: ['x', 'yz'].map((text) => ({ type: 'text', text })),
      },
    ]
    const [conversation] = readDocument(JSON.stringify({ messages, tools })).conversations
    if (conversation === undefined) throw new Error('no conversation')
    const counts = countConversation(conversation, countCharacters)
    expect(counts.messages).toEqual([3 + 4 + 3, 3 + 9 + 8 + 4 + 2, 3 + 4 + 3])
    expect(counts.results).toEqual([3])
    expect(requestTokens(counts)).toBe(
      countRequestTokens(conversation.messageTexts, conversation.toolSchemas, countCharacters),
    )
    expect(requestTokens(counts)).toBe(10 + 26 + 10 + 3 + JSON.stringify(tools).length)
  })
})
