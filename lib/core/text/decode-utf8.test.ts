import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentenceThrownBy } from '../testing/spoken'
import { fuzz } from '../testing/test-size'
import { decodeUtf8, firstBadByte } from './decode-utf8'

const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes)

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
const anyCharacter = fc.constantFrom(
  'a',
  '"',
  '\u007f',
  '\u0080',
  'é',
  '\u07ff',
  '\u0800',
  '漢',
  '\ufeff',
  '\uffff',
  '😀',
  '\u{10ffff}',
)

describe('decodeUtf8', () => {
  test('gives a text that is written as the same bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.boolean(), (content, hasMark) => {
        const text = (hasMark ? '\ufeff' : '') + content
        expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text)
      }),
      fuzz(100),
    )
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
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const bad = firstBadByte(bytes)
        expect(bad !== undefined).toBe(isRefused(bytes))
        if (bad !== undefined) expect(isRefused(bytes.subarray(0, bad))).toBe(false)
      }),
      fuzz(2000),
    )
  })

  test.each([
    [
      'Latin-1',
      bytesOf(0x63, 0x61, 0x66, 0xe9, 0x20, 0x21, 0x21),
      'The file is not UTF-8 text: byte 3 is 0xE9. Save it as UTF-8 and open it again.',
    ],
    [
      'a cut character',
      bytesOf(0x22, 0xf0, 0x9f, 0x98),
      'The file is not UTF-8 text: byte 1 is 0xF0, a character cut off by the end. Save it as UTF-8 and open it again.',
    ],
    [
      'a surrogate as bytes',
      bytesOf(0x22, 0xed, 0xa0, 0x80, 0x22),
      'The file is not UTF-8 text: byte 1 is 0xED. Save it as UTF-8 and open it again.',
    ],
    [
      'gzip',
      bytesOf(0x1f, 0x8b, 0x08, 0x08),
      'The file is a gzip archive; expected JSON or JSON Lines.',
    ],
    [
      'zip',
      bytesOf(0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00),
      'The file is a zip archive; expected JSON or JSON Lines.',
    ],
    [
      'a PDF of letters only',
      new TextEncoder().encode('%PDF-1.4 '),
      'The file is a PDF document; expected JSON or JSON Lines.',
    ],
    [
      'zero bytes',
      bytesOf(0x7b, 0x7d, 0x20, 0x00),
      'The file is not text: byte 3 is zero; expected JSON or JSON Lines.',
    ],
    [
      'marked UTF-16',
      bytesOf(0xff, 0xfe, 0x5b, 0x00),
      'The file is UTF-16 (little endian) text; expected UTF-8. Save it as UTF-8 and open it again.',
    ],
    [
      'marked UTF-16, other order',
      bytesOf(0xfe, 0xff, 0x00, 0x5b),
      'The file is UTF-16 (big endian) text; expected UTF-8. Save it as UTF-8 and open it again.',
    ],
    [
      'UTF-16 without a mark',
      bytesOf(0x5b, 0x00, 0x7b, 0x00),
      'The file is UTF-16 (little endian) text; expected UTF-8. Save it as UTF-8 and open it again.',
    ],
    [
      'UTF-16 without a mark, other order',
      bytesOf(0x00, 0x5b, 0x00, 0x7b),
      'The file is UTF-16 (big endian) text; expected UTF-8. Save it as UTF-8 and open it again.',
    ],
  ])('refuses %s', (_, bytes, sentence) => {
    expect(sentenceThrownBy(() => decodeUtf8(bytes))).toMatch(sentence)
  })
})
