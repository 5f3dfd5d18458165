import { expect, test } from 'vitest'
import { checkSetting } from './check-setting'
import type { MaskPolicy } from './policy'
import { POLICY_FIELDS } from './policy-fields'

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
  expect(check(key, value)).toEqual({ state: 'valid', value: taken })
})

test.each<[keyof MaskPolicy, unknown, string]>([
  ['enabled', undefined, 'enabled is missing; expected true or false.'],
  ['enabled', new Date(0), 'enabled is a date; expected true or false.'],
  ['enabled', {}, 'enabled is a table; expected true or false.'],
  ['enabled', null, 'enabled is null; expected true or false.'],
  ['excludeTools', [1], 'exclude_tools is a list; expected a list of tool names.'],
  ['errorPatterns', 'x', 'error_patterns is "x"; expected a list of texts.'],
  ['placeholderTemplate', 1, 'placeholder_template is 1; expected a text.'],
])('%s refuses %o', (key, value, reason) => {
  expect(check(key, value)).toEqual({ state: 'invalid', reason })
})

test('a long text is cut in the sentence that refuses it', () => {
  const { state, ...rest } = check('enabled', 'y'.repeat(41))
  expect(state).toBe('invalid')
  expect(rest).toEqual({ reason: `enabled is ${'y'.repeat(40)}…; expected true or false.` })
})

test('texts that cannot be searched are left out', () => {
  const texts = ['', 'x'.repeat(201), ...Array.from({ length: 60 }, (_, at) => `text ${at}`)]
  expect(check('errorPatterns', ['a', 'a', 'b'])).toEqual({ state: 'valid', value: ['a', 'b'] })
  expect(check('errorPatterns', texts)).toEqual({
    state: 'clamped',
    value: texts.slice(2, 52),
    reason:
      'error_patterns has 62 texts; expected at most 50, of 1 to 200 characters each. The others are left out.',
  })
})

test('unknown rules are left out and named', () => {
  expect(check('errorRules', 'exit_code')).toMatchObject({ state: 'invalid' })
  expect(check('errorRules', ['no_rule'])).toMatchObject({
    state: 'clamped',
    value: [],
    reason: expect.stringContaining('error_rules names "no_rule"; known are '),
  })
})
