import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyActivePolicy } from '../testing/policies'
import { spoken } from '../testing/spoken'
import { forAll } from '../testing/test-size'
import { checkSetting } from './check-setting'
import { completePolicy } from './complete-policy'
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
  [{ window_turns: 8 }, '"window_turns" is not a setting; expected windowTurns.'],
  [{ window: 8 }, '"window" is not a setting; expected enabled, windowTurns, '],
])('%j is refused', (settings, sentence) => {
  expect(() => completePolicy(settings as never)).toThrow(sentence)
})
