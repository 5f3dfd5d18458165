import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isJsonObject } from '../conversation/chat-message'
import { anyConversation } from '../testing/chat-messages'
import { buildFollowUp, type ChatMessage, FOLLOW_UP_HISTORY } from './follow-up'
import { STYLE_MESSAGES } from './style-message'

const OPTIONS = { style: STYLE_MESSAGES.en, historyMessages: FOLLOW_UP_HISTORY, model: 'gpt-5' }

const call = (id: unknown, name = 'read') => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
})
const turn = (...ids: unknown[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
})
const result = (id: string, content = `result of ${id}`) => ({
  role: 'tool',
  tool_call_id: id,
  content,
})
const user = (content: string) => ({ role: 'user', content })

describe('a follow-up request', () => {
  test('is system, style, history, user, turn and results, and lets no tool be called', () => {
    const messages = [
      { role: 'system', content: 'rules' },
      user('first'),
      { role: 'assistant', content: 'done' },
      user('second'),
      turn('a', 'b'),
      result('a'),
    ]
    const given = [{ tool_call_id: 'b', name: 'read', content: 'given', success: true }]
    expect(buildFollowUp(messages, given, OPTIONS)).toEqual({
      model: 'gpt-5',
      messages: [
        { role: 'system', content: 'rules' },
        { role: 'system', content: STYLE_MESSAGES.en },
        user('first'),
        { role: 'assistant', content: 'done' },
        user('second'),
        turn('a', 'b'),
        { role: 'tool', tool_call_id: 'a', name: 'read', content: 'result of a' },
        { role: 'tool', tool_call_id: 'b', name: 'read', content: 'given' },
      ],
      tools: [],
      tool_choice: 'none',
      temperature: 0.2,
    })
  })

  test('does not exist where no tool was called', () => {
    expect(buildFollowUp([user('hello')], [], OPTIONS)).toBeUndefined()
  })

  test.each([
    [10, ['one', '0', '1', '2', '3', '4']],
    [4, ['one', '3', '4']],
    [3, ['one', '4']],
    [1, ['one']],
    [0, ['one']],
  ])('with %i messages of history keeps whole turns and the user’s message', (limit, kept) => {
    const messages = [
      user('one'),
      ...[0, 1, 2, 3, 4].flatMap((at) => [turn(`${at}`), result(`${at}`)]),
      turn('last'),
      result('last'),
    ]
    const request = buildFollowUp(messages, [], { ...OPTIONS, style: '', historyMessages: limit })
    const shown = request?.messages.slice(0, -2).flatMap((message) => {
      if (message.role === 'user') return [message.content]
      return message.role === 'assistant' ? [idsOf(message)[0]] : []
    })
    expect(shown).toEqual(kept)
  })

  test('answers a call that was never run with a failure that says so', () => {
    const request = buildFollowUp([user('go'), turn('a')], [], OPTIONS)
    expect(JSON.parse(request?.messages.at(-1)?.content as string)).toEqual({
      success: false,
      error: 'The call was not run.',
      code: 'NOT_RUN',
    })
  })

  test('gives a call without an id, or with another’s, one of its own', () => {
    const request = buildFollowUp([user('go'), turn('a', 'a', null), result('a')], [], OPTIONS)
    const [assistant, ...answers] = request?.messages.slice(-4) ?? []
    expect(idsOf(assistant as ChatMessage)).toEqual(['a', 'call_1', 'call_2'])
    expect(answers.map(({ tool_call_id: id }) => id)).toEqual(['a', 'call_1', 'call_2'])
  })
})

function idsOf(message: ChatMessage): unknown[] {
  const calls = (message.tool_calls ?? []) as { id: unknown }[]
  return calls.map(({ id }) => id)
}

test('whatever the transcript, calls and results are paired: each call is answered right behind it, nothing else is', () => {
  fc.assert(
    fc.property(anyConversation, fc.nat(12), (conversation, historyMessages) => {
      const messages = conversation.filter((message) => isJsonObject(message)) as ChatMessage[]
      const request = buildFollowUp(messages, [], { ...OPTIONS, historyMessages })
      let open: unknown[] = []
      for (const message of request?.messages ?? []) {
        if (message.role === 'tool') {
          expect(message.tool_call_id).toBe(open.shift())
          continue
        }
        expect(open).toEqual([])
        open = message.role === 'assistant' ? idsOf(message) : []
        for (const id of open) expect(typeof id === 'string' && id !== '').toBe(true)
        expect(new Set(open).size).toBe(open.length)
      }
      expect(open).toEqual([])
    }),
  )
})
