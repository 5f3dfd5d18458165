import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentenceThrownBy } from '../testing/spoken'
import { forAll } from '../testing/test-size'
import { decodeUtf8, firstBadByte } from './decode-utf8'

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
