import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

const ASK = { role: 'user', parts: [{ text: 'go' }] }
const call = (id: string | undefined, name = 'read', args: unknown = { path: 'a' }) => ({
  functionCall: { ...(id !== undefined && { id }), name, args },
})
const answer = (id: string | undefined, response: unknown, name = 'read') => ({
  functionResponse: { ...(id !== undefined && { id }), name, response },
})
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const user = (...parts: unknown[]) => ({ role: 'user', parts })
const CONTENTS = [ASK, model(call('a')), user(answer('a', { output: 'x' }))]

function read(...contents: unknown[]) {
  const [conversation] = readDocument(JSON.stringify([...CONTENTS, ...contents])).conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

describe('calls and responses', () => {
  test('later messages change no id', () => {
    const contents = [model(call(undefined)), user(answer(undefined, { output: '1' }))]
    const before = read(...contents).results.map(({ callId }) => callId)
    const after = read(...contents, ...contents, model(call('read-1'))).results
    expect(after.map(({ callId }) => callId).slice(0, 2)).toEqual(before)
  })
})

/** Converts a message of chat completions to a content. */
function contentOf({ role, content, tool_calls: calls, tool_call_id: id }: ChatMessage): unknown {
  if (role === 'tool') {
    const response = typeof content === 'string' ? { output: content } : { items: content }
    return user({ functionResponse: { id, name: 'read', response } })
  }
  const texts = typeof content === 'string' ? [{ text: content }] : []
  if (role !== 'assistant') return user(...texts)
  const list = Array.isArray(calls) ? calls : []
  return model(...texts, ...list.map((functionCall) => ({ functionCall })))
}

test('masking any conversation changes only its results, and masking again changes nothing', () => {
  fc.assert(
    fc.property(anyMessages, (messages) => {
      const text = JSON.stringify({ contents: [...CONTENTS, ...messages.map(contentOf)] })
      expectStableMasking(text, 'gemini')
    }),
    fuzz(100),
  )
})
