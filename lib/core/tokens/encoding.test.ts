import fc from 'fast-check'
import { countTokens as countByCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countByO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { anyUnicode } from '../testing/any-unicode'
import { forAll, IS_LARGE, testSize } from '../testing/test-size'
import { ENCODING_IDS, loadEncoding } from './encoding'

const AS_TEXT = { disallowedSpecial: new Set<string>() }
/** Small letters in an order that repeats only after thousands. */
const LETTERS = Array.from({ length: 5_000 }, (_, index) =>
  String.fromCharCode(97 + ((index * index * 7 + (index >> 3)) % 26)),
).join('')

const RUNS = [
  ['spaces', ' '],
  ['tabs and spaces', '\t  '],
  ['line breaks', '\r\n\n'],
  ['one letter', 'a'],
  ['capital letters', 'ABBA'],
  ['letters without a pattern', LETTERS],
  ['signs', '=-'],
  ['one sign', '/'],
  ['Chinese', '漢字仮名交じり文'],
  ['Arabic', 'مرحبا'],
  ['letters and marks of two scripts', 'aé漢e\u0301'],
  ['emoji', '😀👍🏽👩‍💻'],
  ['digits', '1234'],
  ['base64', 'iVBORw0KGgoAAAANSUhEUgAA+/'],
  ['lone surrogates', '\ud800'],
  ['byte order marks', '\ufeffa\ufeff'],
]

const { countTokens } = await loadEncoding('o200k_base')

describe('an encoding', () => {
  test.each(ENCODING_IDS)('%s counts special marks as plain characters', async (id) => {
    const encoding = await loadEncoding(id)
    expect(encoding.countTokens('<|endoftext|>')).toBeGreaterThan(1)
    expect(encoding.countTokens('a <|im_start|> b <|endofprompt|>')).toBeGreaterThan(5)
    expect(encoding.countTokens('')).toBe(0)
  })

  test('counts the same after its cache was full', () => {
    expect(countTokens('some words')).toBe(2)
    let total = 0
    for (let text = 0; text < 100_001; text++) {
      // One piece: the pattern takes letters together.
      const letters = text
        .toString(16)
        .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
      total += countTokens(` ${letters}`)
    }
    expect(total).toBeGreaterThan(100_001)
    expect(countTokens('some words')).toBe(2)
  })

  test('forgets the oldest of many hundred thousand texts', async () => {
    const encoding = await loadEncoding('cl100k_base')
    const learn = (count: number) => {
      for (let text = 0; text < count; text++) encoding.learn(`${count} ${text}`, 1)
    }
    encoding.learn('first', 7)
    learn(300_000)
    expect(encoding.countTokens('first')).toBe(7)
    learn(600_001)
    expect(encoding.isKnown('first')).toBe(false)
    expect(encoding.isKnown('600001 600000')).toBe(true)
    expect(encoding.countTokens('first')).toBe(1)
  })

  test('forgets the texts that were not counted since the call before', async () => {
    const { learn, countTokens: count, forgetOld, isKnown } = await loadEncoding('cl100k_base')
    expect(isKnown('a text')).toBe(false)
    learn('a text', 7)
    forgetOld()
    learn('another', 9)
    expect(isKnown('a text')).toBe(true)
    // Counting it again keeps it.
    expect(count('a text')).toBe(7)
    forgetOld()
    forgetOld()
    expect(isKnown('another')).toBe(false)
    expect(count('another')).toBe(1)
    learn('a text', 7)
    forgetOld()
    count('a text')
    forgetOld()
    expect(isKnown('a text')).toBe(true)
  })

  test.each(RUNS)('counts a long run of %s quickly', (_, unit) => {
    const startedAt = process.cpuUsage()
    const length = testSize(50_000, 1_000_000)
    expect(countTokens(unit.repeat(length / unit.length))).toBeGreaterThan(0)
    const { user, system } = process.cpuUsage(startedAt)
    // The library takes minutes, or hours for a million characters.
    expect((user + system) / 1e6).toBeLessThan(5)
  })

  test.runIf(IS_LARGE)(
    'counts runs of letters that are too long for its pattern',
    () => {
      expect(countTokens('漢'.repeat(6_000_000))).toBeGreaterThan(1_000_000)
    },
    60_000,
  )

  describe.each([
    ['o200k_base', countByO200k],
    ['cl100k_base', countByCl100k],
  ] as const)('%s', (id, countByLibrary) => {
    test.each(RUNS)('counts long runs of %s as its library does', async (_, unit) => {
      const encoding = await loadEncoding(id)
      for (const length of [1, 2, 3, 50, 511, 513, testSize(1_025, 3_000)]) {
        const run = unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
        for (const text of [run, `word ${run}\n x`, `${run}.${run}`])
          expect(encoding.countTokens(text)).toBe(countByLibrary(text, AS_TEXT))
      }
    })

    test('counts generated runs as its library does', async () => {
      const encoding = await loadEncoding(id)
      const anyUnit = fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
        anyUnicode({ minLength: 1, maxLength: 8 }),
        fc.stringMatching(/^[a-z]{1,9}$/),
        fc.stringMatching(/^\s{1,9}$/u),
        fc.stringMatching(/^\p{L}{1,9}$/u),
      )
      const anyRun = fc.tuple(anyUnit, fc.nat(150)).map(([unit, times]) => unit.repeat(times))
      forAll(100, [fc.array(anyRun, { maxLength: 3 })], (runs) => {
        const text = runs.join('')
        expect(encoding.countTokens(text)).toBe(countByLibrary(text, AS_TEXT))
      })
    })
  })
})
