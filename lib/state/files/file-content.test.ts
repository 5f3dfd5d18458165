import { describe, expect, test } from 'vitest'
import { decodeFile } from '@/lib/core/formats/reading/open-source'
import { longTextOf } from './file-contents'

/** In bytes; longer than a text that is opened at once, and no multiple of the parts in which files are read. */
const SIZE = 4_300_001

/** Characters of one to four bytes, so that the parts of a file end within some of them. */
const LINE = '{"text": "aé—🦊"}\n'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const LONG = bytesOf(LINE.repeat(Math.ceil(SIZE / bytesOf(LINE).length)))

function withByteAt(at: number, byte: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(LONG)
  bytes[at] = byte
  return bytes
}

describe('the text of a long file', () => {
  test.each([
    ['characters of one to four bytes', LONG],
    ['a byte order mark', bytesOf(`\ufeff${'[1, 2]'.padEnd(SIZE)}`)],
    ['text after megabytes of spaces', bytesOf(`${' '.repeat(SIZE)}[1]`)],
  ])('is that of its bytes, in pieces and as a whole: %s', async (_, bytes) => {
    const decoded = await longTextOf(new File([Uint8Array.from(bytes)], 'a.json'))
    const text = decodeFile(bytes)
    expect(decoded?.text === text).toBe(true)
    expect(decoded?.pieces?.slice(0) === text).toBe(true)
    for (let start = 0; start < text.length; start += 99_991)
      expect(decoded?.pieces?.slice(start, start + 50)).toBe(text.slice(start, start + 50))
  })

  test.each([
    ['a short file', bytesOf('[]')],
    ['an invalid byte', withByteAt(3_000_000, 0xff)],
    ['a character cut off by the end', LONG.subarray(0, LONG.length - 5)],
    ['a zero byte', withByteAt(4_000_000, 0)],
    ['a zip archive', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, ...LONG])],
    ['nothing but spaces', bytesOf(' \n'.repeat(SIZE))],
  ])('is left to the reader of its bytes: %s', async (_, bytes) => {
    expect(await longTextOf(new File([Uint8Array.from(bytes)], 'a.json'))).toBeUndefined()
  })
})
