import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GOOD_REQUEST } from '../testing/broken-requests'
import { anyConversation, anyText } from '../testing/chat-messages'
import { forAll } from '../testing/test-size'
import { isJsonObject } from '../text/json-object'
import type { CallResult } from './call-result'
import { checkRequest, REQUEST_RULES } from './check-request'
import { buildNextRequest, type ChatMessage } from './next-request'
import { idsOf, OPTIONS } from './testing/request-options'

const anyGiven = fc.array(
  fc.record({
    tool_call_id: fc.constantFrom('a', 'b', 'call_1', 'call_2', '__proto__', 'nobody'),
    name: fc.constantFrom('read', ''),
    content: anyText,
    success: fc.boolean(),
  }),
  { maxLength: 4 },
)

describe('for any transcript, results and limit', () => {
  const built = (
    conversation: readonly unknown[],
    given: readonly CallResult[],
    historyMessages: number,
  ) => {
    const messages = conversation.filter((message) => isJsonObject(message)) as ChatMessage[]
    return {
      messages,
      nextRequest: buildNextRequest(messages, given, { ...OPTIONS, historyMessages }),
    }
  }

  test('every call is answered directly after its message, and no rule of all providers is broken', () => {
    forAll(200, [anyConversation, anyGiven, fc.nat(12)], (conversation, given, limit) => {
      const { nextRequest } = built(conversation, given, limit)
      let open: unknown[] = []
      const all: unknown[] = []
      for (const message of nextRequest?.request.messages ?? []) {
        if (message.role === 'tool') {
          expect(message.tool_call_id).toBe(open.shift())
          continue
        }
        expect(open).toEqual([])
        open = message.role === 'assistant' ? idsOf(message) : []
        for (const id of open) expect(typeof id === 'string' && id !== '').toBe(true)
        all.push(...open)
      }
      expect(open).toEqual([])
      expect(new Set(all).size).toBe(all.length)
      const refused = checkRequest(JSON.parse(JSON.stringify(nextRequest?.request ?? GOOD_REQUEST)))
      expect(refused.filter(({ rule }) => REQUEST_RULES[rule] === 'all')).toEqual([])
    })
  })

  test('the limit bounds the history, and a higher limit only extends it', () => {
    forAll(100, [anyConversation, fc.nat(12), fc.nat(12)], (conversation, limit, more) => {
      const { messages, nextRequest: less } = built(conversation, [], limit)
      const { nextRequest: longer } = built(conversation, [], limit + more)
      if (less === undefined || longer === undefined) return
      expect(less.history.sent).toBeLessThanOrEqual(limit + 1)
      expect(less.history.sent).toBeLessThanOrEqual(longer.history.sent)
      expect(longer.history.sent).toBeLessThanOrEqual(longer.history.all)
      const whole = built(messages, [], messages.length * 10).nextRequest
      expect(whole?.history.sent).toBe(whole?.history.all)
    })
  })
})
