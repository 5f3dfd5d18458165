import { expect, test } from 'vitest'
import { utf8Bytes } from './utf8-bytes'

test('a text is written as UTF-8, lone surrogates as U+FFFD', () => {
  const edges = ['\0\x7f', '\x80\u07ff', '\u0800\uffff', '\u{10000}\u{10ffff}', '\ud800x\udc00']
  for (const text of [...edges, 'aé漢😀']) {
    expect(utf8Bytes(text)).toBe(Buffer.from(text).toString('latin1'))
  }
})
