import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentenceThrownBy } from '../testing/spoken'
import { forAll } from '../testing/test-size'
import { decodeUtf8, firstBadByte } from './decode-utf8'
import { type NumberRules, readTypedNumber } from './typed-number'

const PRICE: NumberRules = { reader: 'en', page: 'en', isWhole: false, minimum: 0, maximum: 1e9 }
const read = (text: string, rules: Partial<NumberRules> = {}) => {
  const result = readTypedNumber(text, { ...PRICE, ...rules })
  return result.state === 'number' ? result.value : result.state
}

describe('a mark that cannot separate groups is a decimal mark, in every locale', () => {
  test.each([
    ['1,75', 1.75],
    ['1.75', 1.75],
    ['8,5', 8.5],
    ['0,125', 0.125],
    ['.5', 0.5],
    ['1234,567', 1234.567],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['12.345.678,9', 12345678.9],
    ['1 234,5', 1234.5],
    ["1'234.5", 1234.5],
    ['١٫٥', 1.5],
    ['１２', 12],
    ['8,', 8],
  ])('%s', (text, value) => {
    for (const reader of ['en', 'de', 'fr-CH']) expect(read(text, { reader })).toBe(value)
  })
})

describe('a mark that may separate groups is read by the locale, or refused where locales differ', () => {
  test.each([
    ['1,234', 'en', 1234],
    ['1.234', 'en', 1.234],
    ['1,234', 'de', 'ambiguous'],
    ['1.234', 'de', 'ambiguous'],
    ['1,234,567', 'de', 1234567],
    ['1,234', 'fr-FR', 1.234],
    ['1.234', 'fr-FR', 'ambiguous'],
    ['1 234', 'fr-FR', 1234],
  ])('%s by %s', (text, reader, value) => {
    const page = reader === 'fr-FR' ? 'fr' : 'en'
    expect(read(text, { reader, page })).toBe(value)
  })

  test('the readings are in the refusal', () => {
    expect(readTypedNumber('1.234', { ...PRICE, reader: 'de' })).toEqual({
      state: 'ambiguous',
      readings: [1234, 1.234],
    })
  })
})

describe('whole numbers are not rounded or clamped', () => {
  test.each([
    ['8,5', 'en', 'not_whole'],
    ['8.5', 'en', 'not_whole'],
    ['1,000', 'en', 1000],
    ['1.000', 'de', 1000],
    ['1,000', 'de', 'ambiguous'],
    ['1.000', 'en', 1],
    ['85000', 'en', 'too_large'],
    ['-1', 'en', 'too_small'],
  ])('%s by %s', (text, reader, value) =>
    expect(read(text, { reader, isWhole: true, maximum: 10_000 })).toBe(value),
  )
})

test.each(['', ' '])('%j is empty', (text) => expect(read(text)).toBe('empty'))

test.each(['abc', '1e5', '1,2,3', '1..2', '12,34,567', '1.234,567,8', '--1', '$5', '5 6', '1/2'])(
  '%s is not a number',
  (text) => expect(read(text)).toBe('not_a_number'),
)

test('what the page shows is read back, by any reader, unless that reader means another number', () => {
  const number = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => +value.toFixed(2))
  const page = fc.constantFrom('en', 'fr')
  forAll(500, [number, page, fc.constantFrom('en', 'de', 'fr', 'hi')], (value, page, reader) => {
    const shown = new Intl.NumberFormat(page, { maximumFractionDigits: 2 }).format(value)
    expect([value, 'ambiguous']).toContain(read(shown, { reader, page }))
    expect(read(String(value), { reader, page })).toBe(value)
  })
})

/** Bytes that are often nearly UTF-8: leading and continuing bytes next to each other. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xa0, 0x9f, 0xf0, 0x90, 0x8f, 0xf4),
      fc.nat(255),
    ),
    { maxLength: 12 },
  )
  .map((bytes) => Uint8Array.from(bytes))

/** One to four bytes each; the library's own units take a second to set up. */
const anyCharacter = fc.constantFrom(...'a"\u007f\u0080é\u07ff\u0800漢\ufeff\uffff😀\u{10ffff}')

test('gives a text that is written as the same bytes', () => {
  forAll(100, [fc.string({ unit: anyCharacter }), fc.boolean()], (content, hasMark) => {
    const text = (hasMark ? '\ufeff' : '') + content
    expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text)
  })
})

test('finds a bad byte exactly where the decoder refuses', () => {
  const isRefused = (bytes: Uint8Array) => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      return false
    } catch {
      return true
    }
  }
  forAll(2000, [anyBytes], (bytes) => {
    const bad = firstBadByte(bytes)
    expect(bad !== undefined).toBe(isRefused(bytes))
    if (bad !== undefined) expect(isRefused(bytes.subarray(0, bad))).toBe(false)
  })
})

const json = 'expected JSON or JSON Lines.'
const save = 'Save it as UTF-8 and open it again.'
test.each([
  ['caf\xe9 !!', `not UTF-8 text: byte 3 is 0xE9. ${save}`],
  ['"\xf0\x9f\x98', `not UTF-8 text: byte 1 is 0xF0, a character cut off by the end. ${save}`],
  // A surrogate.
  ['"\xed\xa0\x80"', `not UTF-8 text: byte 1 is 0xED. ${save}`],
  ['\x1f\x8b\b\b', `a gzip archive; ${json}`],
  ['PK\x03\x04\x14\0\0', `a zip archive; ${json}`],
  ['%PDF-1.4 ', `a PDF document; ${json}`],
  ['{} \0', `not text: byte 3 is zero; ${json}`],
  ['\xff\xfe[\0', `UTF-16 (little endian) text; expected UTF-8. ${save}`],
  ['\xfe\xff\0[', `UTF-16 (big endian) text; expected UTF-8. ${save}`],
  ['[\0{\0', `UTF-16 (little endian) text; expected UTF-8. ${save}`],
  ['\0[\0{', `UTF-16 (big endian) text; expected UTF-8. ${save}`],
])('refuses the bytes %j: the file is %s', (latin1, found) => {
  const bytes = Uint8Array.from(Buffer.from(latin1, 'latin1'))
  expect(sentenceThrownBy(() => decodeUtf8(bytes))).toBe(`The file is ${found}`)
})
