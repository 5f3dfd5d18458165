import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import type { JsonValue } from '../testing/chat-messages'
import { conversationOf, turnOf } from '../testing/conversation-of'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { anySessionMessages } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { countConversation, requestTokens } from '../tokens/count-conversation'
import { maskOldToolResults } from './mask-old-tool-results'
import { changePercent, measureCounted, resultTokens, sumTotals, totalsOf } from './measure-request'

const ON = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }

function counted(messages: readonly JsonValue[]) {
  const conversation = conversationOf(messages)
  const counts = countConversation(conversation, countQuarters)
  return { conversation, counts, resultTexts: conversation.resultTexts }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe('the measure of a conversation', () => {
  test('has the difference to its masked messages, counted anew', () => {
    let masked = 0
    forAll(200, [anySessionMessages, anyActivePolicy], (messages, policy) => {
      const own = counted(messages)
      const after = maskOldToolResults(messages, policy, countQuarters)
      const other = counted(after)
      const counts = { ...own, slope: 1 }
      const { decisions, ...measure } = measureCounted(own, policy, countQuarters, counts)
      expect(decisions).toHaveLength(measure.results)
      const change = (of: (one: typeof own) => number) => ({ before: of(own), after: of(other) })
      const charsIn = (list: readonly { chars: number }[]) => sum(list.map(({ chars }) => chars))
      const changed = after.filter(
        (message, at) => JSON.stringify(message) !== JSON.stringify(messages[at]),
      ).length
      expect(measure).toEqual({
        tokens: change(({ counts }) => requestTokens(counts)),
        chars: change(({ conversation }) => charsIn(conversation.messages)),
        resultTokens: change(({ counts }) => sum(counts.results)),
        resultChars: change(({ conversation }) => charsIn(conversation.results)),
        results: own.conversation.results.length,
        maskedResults: changed,
        messages: messages.length,
        maskedMessages: changed,
      })
      // A placeholder is not masked again.
      const again = measureCounted(other, policy, countQuarters, { ...other, slope: 1 })
      expect(again.maskedResults).toBe(0)
      masked += changed
    })
    expect(masked).toBeGreaterThan(0)
  })

  test('decides with our counts and measures with those of the provider, for these messages only', () => {
    const turns = ['a', 'b'].flatMap((id) => turnOf(id, 'x'.repeat(900)))
    const own = counted(turns)
    const policy = { ...ON, placeholderTemplate: '[{original_tokens} tokens]' }
    const counts = { messages: [10, 400, 10, 400, 7], results: [300, 300, 5], perRequest: 50 }
    const measure = (triggerTokens: number) =>
      measureCounted(own, { ...policy, triggerTokens }, countQuarters, { counts, slope: 1.5 })
    // "[225 tokens]" has 3 of our tokens, and 5 of the provider's.
    expect(measure(requestTokens(own.counts))).toMatchObject({
      tokens: { before: 870, after: 870 - 300 + 5 },
      resultTokens: { before: 600, after: 305 },
      maskedMessages: 1,
    })
    expect(measure(requestTokens(own.counts) + 1).maskedResults).toBe(0)
  })
})

test('messages with several results are counted once', () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
  const result = (id: string) => {
    return { type: 'tool_result', tool_use_id: id, content: 'x'.repeat(900) }
  }
  const own = counted([
    { role: 'assistant', content: [call('a'), call('b')] },
    { role: 'user', content: [result('a'), result('b')] },
    { role: 'assistant', content: [call('c')] },
    { role: 'user', content: [result('c')] },
  ])
  const measure = measureCounted(own, ON, countQuarters, { ...own, slope: 1 })
  expect(measure).toMatchObject({ results: 3, maskedResults: 2, maskedMessages: 1 })
  const totals = totalsOf(own.conversation, measure)
  const { tokens } = measure
  const expected = { conversations: 1, messages: 4, turns: 2, results: 3, maskedResults: 2, tokens }
  expect(totals).toEqual(expected)
  const other = { conversations: 2, messages: 3, turns: 4, results: 5, maskedResults: 6 }
  const sums = { conversations: 3, messages: 7, turns: 6, results: 8, maskedResults: 8 }
  expect(sumTotals([totals, { ...other, tokens: { before: 7, after: 8 } }])).toEqual({
    ...{ ...sums, tokens: { before: tokens.before + 7, after: tokens.after + 8 } },
  })
  expect(sumTotals([]).tokens).toEqual({ before: 0, after: 0 })
})

test('a change is in percent of what was before, and unknown of nothing', () => {
  expect(changePercent({ before: 200, after: 150 })).toBe(-25)
  expect(changePercent({ before: 50, after: 150 })).toBe(200)
  expect(changePercent({ before: 0, after: 5 })).toBeUndefined()
})

test('the tokens of a result are counts where they are known, else a quarter of its characters', () => {
  const result = { chars: 41 }
  const masked = { placeholder: '\u{1f600}'.repeat(9) }
  const counts = (before: number, after: number) => ({ before, after, isEstimated: false })
  const estimates = (before: number, after: number) => ({ before, after, isEstimated: true })
  expect(resultTokens(result, undefined, undefined, undefined)).toEqual(estimates(11, 11))
  expect(resultTokens(result, { placeholder: undefined }, 20, undefined)).toEqual(counts(20, 20))
  expect(resultTokens(result, masked, undefined, undefined)).toEqual(estimates(11, 3))
  expect(resultTokens(result, masked, undefined, 5)).toEqual(estimates(11, 5))
  expect(resultTokens(result, masked, 20, undefined)).toEqual(estimates(20, 3))
  expect(resultTokens(result, masked, 20, 5)).toEqual(counts(20, 5))
})
