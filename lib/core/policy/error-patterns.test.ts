import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { findPattern, hasPattern } from './error-patterns'

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
