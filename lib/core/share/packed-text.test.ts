import fc from 'fast-check'
import { deflateSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { anyText } from '../testing/chat-messages'
import { MAX_UNPACKED_BYTES, packText, unpackText } from './packed-text'

/** What a sender of ill will could write: `count` zeros, deflated and in base64url. */
function bomb(count: number): string {
  return Buffer.from(deflateSync(new Uint8Array(count).fill(48), { level: 9 })).toString(
    'base64url',
  )
}

describe('a packed text', () => {
  test('unpacks to what it was, and is safe in an address', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 3000 })), (text) => {
        const wellFormed = text.replaceAll('\0', '').toWellFormed()
        const packed = packText(wellFormed)
        expect(packed).toMatch(/^[\w-]*$/)
        expect(unpackText(packed)).toEqual({ state: 'unpacked', text: wellFormed })
      }),
    )
  })

  test('is the same base64url as any other program writes', () => {
    for (let length = 0; length < 200; length++) {
      const text = 'aé☃😀'.repeat(length)
      const other = Buffer.from(deflateSync(Buffer.from(text), { level: 9 })).toString('base64url')
      expect(packText(text)).toBe(other)
    }
  })

  test('that grows without end is stopped at the limit, in a moment', () => {
    const packed = bomb(200_000_000)
    expect(packed.length).toBeGreaterThan(200_000)
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
    [
      'of bytes that are no text',
      Buffer.from(deflateSync(new Uint8Array([0xff, 0xfe, 0xfd]))).toString('base64url'),
    ],
  ])('that is damaged says so: %s', (_, packed) => {
    expect(unpackText(packed)).toEqual({ state: 'damaged' })
  })

  test('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.base64String()), (text) => {
        expect(['unpacked', 'damaged', 'too_large']).toContain(unpackText(text, 100_000).state)
      }),
    )
  })
})
