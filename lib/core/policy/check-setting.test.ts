import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstLineOf } from '../conversation/link-messages'
import { anyText } from '../testing/chat-messages'
import { anyActivePolicy, anyTemplate } from '../testing/policies'
import { spoken } from '../testing/spoken'
import { forAll } from '../testing/test-size'
import { checkSetting } from './check-setting'
import { completePolicy } from './complete-policy'
import { findPattern, hasPattern } from './error-patterns'
import { isPlaceholder, type PlaceholderFacts, renderPlaceholder } from './placeholder'
import { DEFAULT_POLICY, type MaskPolicy, POLICY_FIELDS } from './policy'

function check(key: keyof MaskPolicy, value: unknown) {
  const field = POLICY_FIELDS.find((each) => each.key === key)
  if (field === undefined) throw new RangeError(`${key} is no setting.`)
  return checkSetting(field, value)
}

test.each<[keyof MaskPolicy, unknown, unknown]>([
  ['enabled', true, true],
  ['windowTurns', 12n, 12],
  ['windowTurns', -3, 0],
  ['keepLastKPerTool', null, 0],
  ['placeholderTemplate', 'x', 'x'],
  ['excludeTools', ['a', 'b', 'a'], ['a', 'b']],
])('%s takes %o', (key, value, taken) => {
  expect(spoken(check(key, value))).toEqual({ state: 'valid', value: taken })
})

test.each<[keyof MaskPolicy, unknown, string]>([
  ['enabled', undefined, 'enabled is missing; expected true or false.'],
  ['enabled', new Date(0), 'enabled is a date; expected true or false.'],
  ['enabled', {}, 'enabled is a table; expected true or false.'],
  ['enabled', null, 'enabled is null; expected true or false.'],
  ['excludeTools', [1], 'exclude_tools is a list; expected a list of tool names.'],
  ['errorPatterns', 'x', 'error_patterns is "x"; expected a list of texts.'],
  ['enabled', 'y'.repeat(41), `enabled is ${'y'.repeat(40)}…; expected true or false.`],
  ['placeholderTemplate', 1, 'placeholder_template is 1; expected a text.'],
])('%s refuses %o', (key, value, reason) => {
  expect(spoken(check(key, value))).toEqual({ state: 'invalid', reason })
})

test('a template that is too long is refused', () => {
  expect(check('placeholderTemplate', 'x'.repeat(2_000)).state).toBe('valid')
  expect(check('placeholderTemplate', 'x'.repeat(2_001)).state).toBe('invalid')
})

test.each<[keyof MaskPolicy, string[], string[], string]>([
  [
    'excludeTools',
    ['', ''],
    [],
    'exclude_tools is a list with an empty item; expected a list of tool names.',
  ],
  [
    'excludeTools',
    ['a', '', 'a'],
    ['a'],
    'exclude_tools is a list with an empty item; expected a list of tool names.',
  ],
  [
    'errorPatterns',
    ['', 'a'],
    ['a'],
    'error_patterns is a list with an empty item; expected a list of texts.',
  ],
])('%s leaves the empty ones of %j out and says so', (key, given, value, reason) => {
  expect(spoken(check(key, given))).toEqual({ state: 'clamped', value, reason })
})

test('texts that cannot be searched are left out', () => {
  const texts = ['', 'x'.repeat(201), ...Array.from({ length: 60 }, (_, at) => `text ${at}`)]
  expect(check('errorPatterns', ['a', 'a', 'b'])).toEqual({ state: 'valid', value: ['a', 'b'] })
  const reason =
    'error_patterns has 62 texts; expected at most 50, of 1 to 200 characters each. The others are left out.'
  const clamped = { state: 'clamped', value: texts.slice(2, 52), reason }
  expect(spoken(check('errorPatterns', texts))).toEqual(clamped)
})

test('unknown rules are left out and named', () => {
  expect(spoken(check('errorRules', 'exit_code'))).toMatchObject({ state: 'invalid' })
  const reason = expect.stringContaining('error_rules names "no_rule"; known are ')
  const clamped = { state: 'clamped', value: [], reason }
  expect(spoken(check('errorRules', ['no_rule']))).toMatchObject(clamped)
})

test('every missing setting is the default', () => {
  const anyKeys = fc.subarray(Object.keys(DEFAULT_POLICY) as (keyof MaskPolicy)[])
  forAll(100, [anyActivePolicy, anyKeys], (policy, keys) => {
    const settings = Object.fromEntries(keys.map((key) => [key, policy[key]]))
    expect(completePolicy(settings)).toEqual({ ...DEFAULT_POLICY, ...settings })
  })
  expect(completePolicy({ windowTurns: undefined } as never)).toEqual(DEFAULT_POLICY)
})

test.each([
  [{ windowTurns: '8' }, 'windowTurns is "8"; expected a whole number from 0 to 1000000.'],
  [{ batchTurns: 0 }, 'batchTurns is 0; expected 1 to 1000000, of which 1 is nearest.'],
  [
    { excludeTools: [''] },
    'excludeTools is a list with an empty item; expected a list of tool names.',
  ],
  [{ window_turns: 8 }, '"window_turns" is not a setting; expected windowTurns.'],
  [{ window: 8 }, '"window" is not a setting; expected enabled, windowTurns, '],
])('%j is refused', (settings, sentence) => {
  expect(() => completePolicy(settings as never)).toThrow(sentence)
})

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

const anyUnit = fc.constantFrom('a', 'b', 'A', 'B', '\u212a', 'k')
const anyShort = fc.string({ unit: anyUnit, minLength: 1, maxLength: 6 })
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

test('finds a text exactly where a plain search finds one, at the first end', () => {
  const anyPatterns = fc.array(anyShort, { minLength: 1, maxLength: 5 })
  const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '\u212a'), maxLength: 30 })
  forAll(500, [anyText, anyPatterns], (text, patterns) => {
    const ends = patterns
      .map((pattern) => [fold(text).indexOf(fold(pattern)), pattern.length] as const)
      .filter(([start]) => start >= 0)
      .map(([start, length]) => start + length)
    const found = findPattern(text, patterns)
    expect(found?.end).toBe(ends.length === 0 ? undefined : Math.min(...ends))
    if (found === undefined) return
    const matched = fold(text.slice(found.start, found.end))
    expect(patterns.map(fold)).toContain(matched)
  })
})

test('special characters of expressions are plain ones', () => {
  expect(findPattern('a.c (x)*', ['(x)*'])).toEqual({ start: 4, end: 8 })
  expect(findPattern('abc', ['a.c'])).toBeUndefined()
  expect(findPattern('', ['a'])).toBeUndefined()
})

test('the text of a result is read once for the same patterns', () => {
  const result = {}
  let reads = 0
  const has = (patterns: readonly string[]) =>
    hasPattern(result, patterns, () => {
      reads++
      return 'Permission denied'
    })
  const patterns = ['permission DENIED']
  expect([has(patterns), has(patterns), reads]).toEqual([true, true, 1])
  expect([has(['quota']), has([]), reads]).toEqual([false, false, 2])
})

describe('hostile texts and patterns take one step for each character', () => {
  const size = 1_000_000
  const FIFTY = Array.from({ length: 50 }, (_, at) => `${'a'.repeat(150 + at)}b`)
  test.each([
    ['one letter, and one that differs at its end', 'a'.repeat(size), [`${'a'.repeat(199)}b`]],
    ['one letter, and one that differs at its start', 'a'.repeat(size), [`b${'a'.repeat(199)}`]],
    ['a period, and one that breaks it', 'ab'.repeat(size / 2), [`${'ab'.repeat(100).slice(1)}x`]],
    ['fifty patterns that share their start', 'a'.repeat(size), FIFTY],
    ['starts of patterns', 'permission denie '.repeat(size / 17), ['permission denied', 'denied']],
  ])('%s', (_, text, patterns) => {
    const startedAt = process.cpuUsage()
    expect(findPattern(text, patterns)).toBeUndefined()
    // Quadratic work would take minutes; the bound leaves room for a busy machine that counts coverage.
    expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000)
  })
})
