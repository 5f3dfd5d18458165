import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conversationOf } from '@/lib/core/testing/conversation-of'
import { forAll } from '@/lib/core/testing/test-size'
import { clampText, messageContent } from './message-content'

test('both limits cut it', () => {
  expect(clampText('one\ntwo\nthree', 2, 100)).toEqual({ text: 'one\ntwo', isWhole: false })
  expect(clampText('one\ntwo\n', 2, 100)).toEqual({ text: 'one\ntwo', isWhole: false })
  expect(clampText('abcdef', 2, 4)).toEqual({ text: 'abcd', isWhole: false })
  expect(clampText('abc\ndef', 2, 5)).toEqual({ text: 'abc\nd', isWhole: false })
})

test('the result is always a prefix within both limits, and complete if isWhole', () => {
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
