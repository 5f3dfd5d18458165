import { describe, expect, test } from 'vitest'
import { checkSetting } from '../policy/check-setting'
import { POLICY_FIELDS } from '../policy/policy'
import { anyToolNames } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { PRESETS } from './presets'
import { escapeToolName, readToolList, unescapeToolName, writeToolList } from './tool-names'

describe('presets', () => {
  test('are listed once each', () => {
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length)
  })

  test.each(PRESETS)('$id is a policy of valid settings', ({ policy }) => {
    expect(policy.enabled).toBe(true)
    for (const field of POLICY_FIELDS) {
      expect(checkSetting(field, policy[field.key])).toMatchObject({ state: 'valid' })
    }
  })
})

describe('tool names as text', () => {
  test('read back the same, and are well-formed', () => {
    forAll(2_000, [anyToolNames], (names) => {
      const escaped = names.map(escapeToolName)
      expect(escaped.map(unescapeToolName)).toEqual(names)
      const list = writeToolList(names)
      expect(readToolList(list)).toEqual(names)
      expect([list, ...escaped].every((text) => text.isWellFormed())).toBe(true)
      expect(list).not.toContain('\0')
    })
  })

  test.each([
    ['read', 'read'],
    ['a\\b', 'a\\b'],
    ['\ud800', '\\u{d800}'],
    ['😀', '😀'],
    ['\\u{d800}', '\\u{5c}u{d800}'],
  ])('%j is written as %j', (name, text) => {
    expect(escapeToolName(name)).toBe(text)
  })

  test('an empty one stands in a list, which is not that of none', () => {
    for (const names of [[''], ['', ''], ['a', '']])
      expect(readToolList(writeToolList(names))).toContain('')
    expect([writeToolList([]), readToolList('')]).toEqual(['', []])
  })

  test.each([
    ['a,b', ['a', 'b']],
    [' a , b ,, ', ['a', 'b', '', '']],
    [' ', []],
    [',', ['', '']],
    ['a\\,b,c', ['a,b', 'c']],
    ['\\u{20}a\\b', [' a\\b']],
    ['\\u{110000}', ['\\u{110000}']],
  ])('the list %j has the names %j', (list, names) => {
    expect(readToolList(list)).toEqual(names)
  })
})
