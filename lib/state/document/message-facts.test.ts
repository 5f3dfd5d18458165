import { expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { measureRequest, resultTokens } from '@/lib/core/mask/measure-request'
import { decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import type { JsonValue } from '@/lib/core/testing/chat-messages'
import { conversationOf, turnOf } from '@/lib/core/testing/conversation-of'
import {
  CHAT_FILES,
  readTranscript,
  SAMPLE_FILES,
  shortFiles,
} from '@/lib/core/testing/transcripts'
import { countConversation } from '@/lib/core/tokens/count-conversation'
import { holdsOnlyResults, messageTokens } from './message-facts'

/** A counter in which every word is a token. */
const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length

function facts(messages: readonly JsonValue[]) {
  const conversation = conversationOf(messages)
  const counts = countConversation(conversation, countWords)
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const decisions = decide(conversation, policy, { textOf: () => '' })
  const placeholders = decisions.map(({ placeholder = '' }) => countWords(placeholder))
  const tokens = messageTokens(conversation, counts, decisions, placeholders)
  const results = conversation.results.map((result, at) =>
    resultTokens(result, decisions[at], counts.results[at], placeholders[at]),
  )
  return { conversation, counts, decisions, placeholders, tokens, results }
}

test('a message with one result has the tokens of the result, without overhead', () => {
  const first = [...turnOf('a', 'one two three four five six seven eight nine ten eleven', 'read')]
  const { tokens, results, counts } = facts([...first, ...turnOf('b', 'two words')])
  expect(results).toEqual([
    { before: 11, after: 8, isEstimated: false },
    { before: 2, after: 2, isEstimated: false },
  ])
  expect([tokens.before[1], tokens.after[1]]).toEqual([11, 8])
  expect([tokens.before[3], tokens.after[3]]).toEqual([2, 2])
  expect(counts.messages[1]).toBeGreaterThan(11)
})

test('the difference by message is the difference of the request', () => {
  const turns = ['a', 'b', 'c'].flatMap((id) => turnOf(id, 'word '.repeat(20)))
  const { conversation, counts, decisions, placeholders, tokens } = facts(turns)
  const request = measureRequest(conversation, counts, decisions, placeholders).tokens
  const sum = (all: readonly number[]) => all.reduce((total, count) => total + count, 0)
  expect(sum(tokens.before) - sum(tokens.after)).toBe(request.before - request.after)
  expect(request.before - request.after).toBeGreaterThan(0)
})

test.each(shortFiles([...SAMPLE_FILES, ...CHAT_FILES], 200_000))(
  'a message has its own tokens or those of its results: $name',
  (file) => {
    for (const conversation of readDocument(readTranscript(file)).conversations) {
      const counts = countConversation(conversation, countWords)
      const { before } = messageTokens(conversation, counts, undefined, undefined)
      const own = conversation.messages.map(({ contents }, at) => {
        const results = conversation.results.flatMap(({ message }, index) =>
          message === at ? [counts.results[index] as number] : [],
        )
        const hasCall = conversation.calls.some(({ message }) => message === at)
        const isOnlyResults = results.length > 0 && contents.length === 0 && !hasCall
        expect(holdsOnlyResults(conversation, at)).toBe(isOnlyResults)
        return isOnlyResults
          ? results.reduce((sum, tokens) => sum + tokens, 0)
          : counts.messages[at]
      })
      expect(before).toEqual(own)
    }
  },
)
