import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSetting } from '../policy/check-setting'
import { POLICY_FIELDS } from '../policy/policy'
import { anyToolNames } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { PRESETS, type Preset, presetPolicy } from './presets'
import { escapeToolName, readToolList, unescapeToolName, writeToolList } from './tool-names'

const tokensPreset = PRESETS.find(({ id }) => id === 'gemini_cli') as Preset

describe('presets', () => {
  test('are listed once each', () => {
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length)
  })

  test.each(PRESETS)('$id gives a policy of valid settings', (preset) => {
    const policy = presetPolicy(preset, [1000, 2000, 3000])
    expect(policy?.enabled).toBe(true)
    for (const field of POLICY_FIELDS) {
      expect(checkSetting(field, policy?.[field.key])).toMatchObject({ state: 'valid' })
    }
  })

  test('that count tokens keep the turns with that many tokens, and move once enough are old', () => {
    const turns = Array.from({ length: 100 }, () => 2_000)
    expect(presetPolicy(tokensPreset, turns)).toMatchObject({ windowTurns: 25, batchTurns: 15 })
    expect(presetPolicy(tokensPreset, [60_000])).toMatchObject({ windowTurns: 1, batchTurns: 1 })
    expect(presetPolicy(tokensPreset, [500, 500])).toMatchObject({ windowTurns: 100 })
    expect(presetPolicy(tokensPreset, undefined)).toBeUndefined()
    expect(presetPolicy(tokensPreset, [])).toBeUndefined()
  })

  test('that count tokens never keep more than their limit if turns are smaller', () => {
    const anyTurns = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 80 })
    forAll(100, [anyTurns], (turns) => {
      const window = presetPolicy(tokensPreset, turns)?.windowTurns ?? 0
      const held = turns.slice(-window).reduce((sum, count) => sum + count, 0)
      expect(held).toBeLessThanOrEqual(50_000)
    })
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

  test.each([
    ['a,b', ['a', 'b']],
    [' a , b ,, ', ['a', 'b']],
    ['a\\,b,c', ['a,b', 'c']],
    ['\\u{20}a\\b', [' a\\b']],
    ['\\u{110000}', ['\\u{110000}']],
  ])('the list %j has the names %j', (list, names) => {
    expect(readToolList(list)).toEqual(names)
  })
})
