import fc from 'fast-check'
import { countTokens as countWhole } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { ENCODING_IDS, loadEncoding, longRuns } from './encoding'

const AS_TEXT = { disallowedSpecial: new Set<string>() }
const { countTokens } = await loadEncoding('o200k_base')

describe('an encoding', () => {
  test('counts ordinary text as its library does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(countTokens(text)).toBe(countWhole(text, AS_TEXT))
      }),
    )
  })

  test.each(ENCODING_IDS)('%s takes special marks for the characters they are', async (id) => {
    const encoding = await loadEncoding(id)
    expect(encoding.countTokens('<|endoftext|>')).toBeGreaterThan(1)
    expect(encoding.countTokens('a <|im_start|> b <|endofprompt|>')).toBeGreaterThan(5)
    expect(encoding.countTokens('')).toBe(0)
  })

  test('counts lone surrogates without complaint', () => {
    expect(countTokens('\ud800 x \udc00')).toBeGreaterThan(0)
  })

  test.each([
    ['spaces', ' '.repeat(100_000)],
    ['one letter', 'a'.repeat(100_000)],
    ['signs', '=-'.repeat(50_000)],
    ['letters and marks of two scripts', 'aé漢'.repeat(30_000)],
    ['emoji', '😀'.repeat(50_000)],
    ['digits', '7'.repeat(100_000)],
    ['base64', 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(4_000)],
  ])('is done soon with 100,000 characters of %s', (_, text) => {
    const startedAt = performance.now()
    expect(countTokens(text)).toBeGreaterThan(0)
    // Uncut, these take ten seconds and more.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test.each([
    ['spaces', ' '.repeat(2_000)],
    ['one letter', 'a'.repeat(2_000)],
    ['signs', '=-'.repeat(1_000)],
    ['mixed', `${'word '.repeat(50)}${'x'.repeat(2_000)}\n${' '.repeat(900)}`],
  ])('counts a long run of %s in pieces, at most one token too many a cut', (_, text) => {
    const whole = countWhole(text, AS_TEXT)
    const cuts = longRuns(text).reduce(
      (total, { start, end }) => total + Math.ceil((end - start) / 512),
      0,
    )
    expect(cuts).toBeGreaterThan(0)
    expect(Math.abs(countTokens(text) - whole)).toBeLessThanOrEqual(cuts)
  })

  test('names the runs it cuts', () => {
    expect(longRuns('ab'.repeat(200))).toEqual([])
    expect(longRuns(`{"a":"${'x'.repeat(600)}"}`)).toEqual([{ start: 6, end: 606 }])
  })
})
