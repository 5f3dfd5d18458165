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

test('a text with added or missing characters is not a placeholder', () => {
  const facts = {
    callId: 'a',
    toolName: 'read',
    toolArguments: '',
    firstLine: '',
    chars: 12,
    length: 0,
  }
  const template = '[{tool_call_id} {tool_name} {original_chars}]'
  const isOne = (text: string) => isPlaceholder(template, { ...facts, length: text.length }, text)
  expect(['[a read 12]', '[a read 99999]'].map(isOne)).toEqual([true, true])
  for (const text of [
    '[a read 12] ',
    '[a read 12]\n',
    '[b read 12]',
    '[a read x]',
    '[a read ]',
    '[a read -1]',
    '',
  ]) {
    expect([text, isOne(text)]).toEqual([text, false])
  }
})

test('a variable without a value is not replaced', () => {
  const facts = {
    callId: undefined,
    toolName: undefined,
    toolArguments: '',
    firstLine: '',
    chars: 1,
    length: 1,
  }
  expect(renderPlaceholder('{tool_call_id}|{tool_name}|{original_tokens}', facts, undefined)).toBe(
    '|inconnu|{original_tokens}',
  )
})

test('the first line is the first that is not blank, cut at 80 characters', () => {
  expect(firstLineOf(['\n  \n\tone two  \nthree'])).toBe('one two')
  expect(firstLineOf(['', 'of several texts'])).toBe('of several texts')
  expect(firstLineOf([`${'\u{1f600}'.repeat(90)}`])).toBe('\u{1f600}'.repeat(80))
  expect([firstLineOf([]), firstLineOf([' \n'])]).toEqual(['', ''])
})

test('a placeholder with the first line is recognised with any line, the same one throughout', () => {
  const facts = { callId: 'a', toolName: 'read', toolArguments: '', firstLine: 'x', chars: 1 }
  const isOne = (template: string, text: string) =>
    isPlaceholder(template, { ...facts, length: text.length }, text)
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
