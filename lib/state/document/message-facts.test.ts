import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { measureRequest, resultTokens } from '@/lib/core/mask/measure-request'
import type { LineSpan } from '@/lib/core/mask/output-layout'
import { type Decision, decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import type { JsonValue } from '@/lib/core/testing/chat-messages'
import { conversationOf, turnOf } from '@/lib/core/testing/conversation-of'
import { forAll } from '@/lib/core/testing/test-size'
import {
  CHAT_FILES,
  readTranscript,
  SAMPLE_FILES,
  shortFiles,
} from '@/lib/core/testing/transcripts'
import { countConversation } from '@/lib/core/tokens/count-conversation'
import { placeholderTokensOf } from '../policy/policy-view'
import { openedMessages } from '../testing/three-turns'
import { holdsOnlyResults, messageTokens, messageTokensOf, resultTokensOf } from './message-facts'
import { resultRowsOf } from './result-table'
import { clampText, lineExcerpt, messageContent } from './selectors'
import { changedSpans, stepChange } from './shown-document'

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

describe('lineExcerpt', () => {
  test('gives the line around a character', () => {
    const text = '{\n  "a": 1,\r\n  b: 2\n}'
    expect(lineExcerpt(text, text.indexOf('b'))).toEqual({ before: '  ', found: 'b', after: ': 2' })
    expect(lineExcerpt(text, 0)).toEqual({ before: '', found: '{', after: '' })
    expect(lineExcerpt(text, text.length)).toEqual({ before: '}', found: '', after: '' })
    const atEnd = { before: '  "a": 1,', found: '', after: '' }
    expect(lineExcerpt(text, text.indexOf('\r'))).toEqual(atEnd)
  })

  test('cuts a long line on both sides, but no character in two', () => {
    const text = '🌍'.repeat(100)
    const { before, found, after } = lineExcerpt(text, 100)
    expect(found).toBe('🌍')
    for (const part of [before, after]) expect(part).toMatch(/^(🌍){16}$/u)
    const shifted = `${'🌍'.repeat(50)}a${'🌍'.repeat(50)}`
    expect(lineExcerpt(shifted, 107)).toEqual({
      before: `${'🌍'.repeat(13)}a${'🌍'.repeat(3)}`,
      found: '🌍',
      after: '🌍'.repeat(16),
    })
  })
})

test('both limits cut a text', () => {
  expect(clampText('one\ntwo\nthree', 2, 100)).toEqual({ text: 'one\ntwo', isWhole: false })
  expect(clampText('one\ntwo\n', 2, 100)).toEqual({ text: 'one\ntwo', isWhole: false })
  expect(clampText('abcdef', 2, 4)).toEqual({ text: 'abcd', isWhole: false })
  expect(clampText('abc\ndef', 2, 5)).toEqual({ text: 'abc\nd', isWhole: false })
})

test('a cut text is always a prefix within both limits, and complete if isWhole', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\u{1f600}') })
  forAll(
    100,
    [texts, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 })],
    (text, lines, units) => {
      const clamped = clampText(text, lines, units)
      expect(text.startsWith(clamped.text)).toBe(true)
      expect(clamped.text.length).toBeLessThanOrEqual(units)
      expect(clamped.text.split('\n').length).toBeLessThanOrEqual(lines)
      expect(clamped.isWhole).toBe(clamped.text === text)
      expect(clamped.text.isWellFormed()).toBe(true)
    },
  )
})

test("a message's texts, reasoning and calls are read from the source text", () => {
  const message = {
    role: 'assistant',
    content: [{ type: 'text', text: 'so' }, { type: 'image_url' }],
    reasoning_content: 'hm',
    tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{"n":12345678901234567890}' } }],
  }
  const content = messageContent(JSON.stringify([message]), conversationOf([message]), 0, false)
  expect(content).toEqual({
    texts: ['so'],
    reasoning: 'hm',
    calls: [{ name: 'read', arguments: '{"n":12345678901234567890}' }],
    json: undefined,
  })
})

test('a message without known content is shown as JSON, unless it has results', () => {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'marker', id: 0 },
  ]
  const [text, json] = [JSON.stringify(messages), '{"role":"marker","id":0}']
  const conversation = conversationOf(messages)
  expect(messageContent(text, conversation, 1, false).json).toBe(json)
  expect(messageContent(text, conversation, 1, true).json).toBeUndefined()
})

const LONG = 'a line of output\n'.repeat(20)
const MESSAGES = [
  ...turnOf('call_1', LONG, 'read'),
  ...turnOf('call_2', 'ok', 'search'),
  ...turnOf('call_3', LONG, 'read'),
]

test('all views give a result the same tokens', async () => {
  const { store } = await openedMessages(MESSAGES)
  const state = store.getState()
  const { results } = conversationOf(MESSAGES)
  const tokens = messageTokensOf(state)
  for (const [at, { message }] of results.entries()) {
    const one = resultTokensOf(state, 0, at)
    expect(one?.isEstimated).toBe(false)
    expect(resultRowsOf(state)?.[at]?.tokens).toEqual(one)
    expect([tokens?.before[message], tokens?.after[message]]).toEqual([one?.before, one?.after])
  }
  expect(resultTokensOf(state, 0, 0)?.after).toBe(placeholderTokensOf(state)?.[0]?.[0])
})

const span = (result: number, line: number, column: number): LineSpan => ({
  ...{ conversation: 0, result, line, column },
  ...{ start: 0, end: 0, encoded: 1, filler: undefined },
})

/** Results 0 and 1 are on one line; only result 2 is kept. */
const spans = [span(0, 4, 10), span(1, 4, 90), span(2, 7, 10), span(3, 9, 10)]
const masked: Decision = { action: 'mask', reason: 'masked', keptBy: [], placeholder: '…' }
const kept: Decision = { action: 'keep', reason: 'in_window', keptBy: [], placeholder: undefined }
const changed = changedSpans(spans, [[masked, masked, kept, masked]])

test('a result that is kept is no change', () => {
  expect(changed).toEqual([0, 1, 3])
  expect(changedSpans(spans, [[kept, kept, kept, kept]])).toEqual([])
})

test('steps go from change to change, also within a line, and around both ends', () => {
  const step = (line: number, column: number, isBack = false) =>
    stepChange(spans, changed, { line, column }, isBack)
  const next = [step(1, 1), step(4, 10), step(4, 90), step(7, 10), step(9, 10)]
  expect(next).toEqual([0, 1, 2, 2, 0])
  const back = [step(9, 10, true), step(4, 90, true), step(20, 1, true), step(4, 10, true)]
  expect(back).toEqual([1, 0, 2, 2])
  expect(stepChange(spans, [], { line: 1, column: 1 }, false)).toBeUndefined()
})
