import fc from 'fast-check'
import { deflateSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { anyUnicode } from '../../testing/any-unicode'
import { anyText } from '../../testing/chat-messages'
import { forAll, testSize } from '../../testing/test-size'
import { MAX_UNPACKED_BYTES, packText, unpackText } from './packed-text'

const deflated = (bytes: Uint8Array) =>
  Buffer.from(deflateSync(bytes, { level: 9 })).toString('base64url')

/** A malicious link: `count` zeros. */
const bomb = (count: number) => deflated(new Uint8Array(count).fill(48))

const anyUnit = fc.oneof(
  fc.constantFrom(0, 0x41, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfeff),
  fc.integer({ min: 0, max: 0xffff }),
)

/** Any string, with zero characters and lone surrogates. */
const anyString = fc.oneof(
  anyText,
  anyUnicode({ maxLength: 3000 }),
  fc.array(anyUnit, { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
)

describe('a packed text', () => {
  const ZEROS = ['\0', '[{"role":"user","content":"a\0b"', 'a\0b\0', '\0a\0b', 'PK\u0003\u0004\0']
  const SURROGATES = ['\ufeff\0', '\ud800', 'a\udc00\ud800b\ud7ff\ue000\ud83d\ude00\ude00']
  test('unpacks to the same text, and is safe in a URL', () => {
    const check = (text: string) => {
      const packed = packText(text)
      expect(packed).toMatch(/^[\w-]*$/)
      expect(unpackText(packed)).toEqual({ state: 'unpacked', text })
    }
    forAll(500, [anyString], check)
    for (const text of [...ZEROS, ...SURROGATES]) check(text)
  })

  test('is standard base64url', () => {
    for (let length = 0; length < 200; length++) {
      const text = 'aé☃😀'.repeat(length)
      expect(packText(text)).toBe(deflated(Buffer.from(text)))
    }
  })

  test('that expands without end is stopped at the limit, within a moment', () => {
    const packed = bomb(testSize(20_000_000, 200_000_000))
    const startedAt = performance.now()
    expect(unpackText(packed)).toEqual({ state: 'too_large' })
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(unpackText(bomb(MAX_UNPACKED_BYTES + 1))).toEqual({ state: 'too_large' })
    expect(unpackText(bomb(MAX_UNPACKED_BYTES)).state).toBe('unpacked')
    expect(unpackText(bomb(1001), 1000)).toEqual({ state: 'too_large' })
  })

  test.each([
    ['cut off', packText('a text that is long enough to be cut off').slice(0, -6)],
    ['with a letter of no alphabet', 'a+b/'],
    ['with a length no bytes have', 'abcde'],
    ['not deflated', Buffer.from('plain text, not deflated').toString('base64url')],
    ['empty', ''],
    ['of bytes that are not text', deflated(new Uint8Array([0xff, 0xfe, 0xfd]))],
  ])('that is damaged is reported: %s', (_, packed) => {
    expect(unpackText(packed)).toEqual({ state: 'damaged' })
  })

  test('never throws, for any text', () => {
    forAll(100, [fc.oneof(anyText, fc.base64String())], (text) => {
      expect(['unpacked', 'damaged', 'too_large']).toContain(unpackText(text, 100_000).state)
    })
  })
})
