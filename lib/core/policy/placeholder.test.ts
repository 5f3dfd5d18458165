import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstLineOf } from '../conversation/link-messages'
import { anyText } from '../testing/chat-messages'
import { anyTemplate } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { isPlaceholder, type PlaceholderFacts, renderPlaceholder } from './placeholder'

const anyFacts: fc.Arbitrary<PlaceholderFacts> = fc.record({
  callId: fc.option(anyText, { nil: undefined }),
  toolName: fc.option(anyText, { nil: undefined }),
  toolArguments: anyText,
  firstLine: anyText.map((text) => firstLineOf([text])),
  chars: fc.nat(),
  length: fc.nat(),
})

test('a placeholder is recognised for all templates and counts', () => {
  forAll(500, [anyTemplate, anyFacts, fc.nat()], (template, facts, tokens) => {
    const text = renderPlaceholder(template, facts, tokens)
    expect(isPlaceholder(template, { ...facts, chars: 0, length: text.length }, text)).toBe(true)
  })
})

const NO_FACTS: PlaceholderFacts = {
  ...{ callId: undefined, toolName: undefined, toolArguments: '', firstLine: '' },
  ...{ chars: 12, length: 0 },
}
const NAMED = { ...NO_FACTS, callId: 'a', toolName: 'read' }
const isOne = (template: string, text: string) =>
  isPlaceholder(template, { ...NAMED, length: text.length }, text)

test.each([
  ['[a read 12]', true],
  ['[a read 99999]', true],
  ['[a read 12] ', false],
  ['[a read 12]\n', false],
  ['[b read 12]', false],
  ['[a read x]', false],
  ['[a read ]', false],
  ['[a read -1]', false],
  ['', false],
])('whether %j is a placeholder: %s', (text, is) => {
  expect(isOne('[{tool_call_id} {tool_name} {original_chars}]', text)).toBe(is)
})

test('a variable without a value is not replaced', () => {
  const template = '{tool_call_id}|{tool_name}|{original_tokens}'
  expect(renderPlaceholder(template, NO_FACTS, undefined)).toBe('|inconnu|{original_tokens}')
})

test('the first line is the first that is not blank, cut at 80 characters', () => {
  expect(firstLineOf(['\n  \n\tone two  \nthree'])).toBe('one two')
  expect(firstLineOf(['', 'of several texts'])).toBe('of several texts')
  expect(firstLineOf([`${'\u{1f600}'.repeat(90)}`])).toBe('\u{1f600}'.repeat(80))
  expect([firstLineOf([]), firstLineOf([' \n'])]).toEqual(['', ''])
})

test('a placeholder with the first line is recognised with any line, the same one throughout', () => {
  expect(isOne('[{tool_name}: {first_line}]', '[read: 12 files]')).toBe(true)
  expect(isOne('[{tool_name}: {first_line}]', '[read: 12 files\n]')).toBe(false)
  expect(isOne('[{tool_name}: {first_line}]', '[grep: 12 files]')).toBe(false)
  for (const character of ['a', '\u{1f600}', '\ud83d']) {
    const lengths = [80, 81].map((length) => isOne('{first_line}', character.repeat(length)))
    expect([character, ...lengths]).toEqual([character, true, false])
  }
  expect(isOne('{first_line}\ude00', '\u{1f600}')).toBe(true)
  expect(isOne('{first_line}={first_line}', 'one=one')).toBe(true)
  expect(isOne('{first_line}={first_line}', 'one=two')).toBe(false)
  expect(isOne('{first_line}'.repeat(160), 'ab'.repeat(160))).toBe(true)
  expect(isOne('{first_line}'.repeat(160), `${'a'.repeat(159)}b`)).toBe(false)
})
