import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUnicode } from '@/lib/core/testing/any-unicode'
import { utf8Length } from './draft-records'

test('a text has as many bytes as its encoding', async () => {
  const text = anyUnicode()
  const encoder = new TextEncoder()
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      expect(await utf8Length(text)).toBe(encoder.encode(text).length)
    }),
  )
  expect(await utf8Length('\ud83d\ud83d\ude00\ude00é漢')).toBe(3 + 4 + 3 + 2 + 3)
  expect(await utf8Length(`a${'😀'.repeat(600_000)}`)).toBe(1 + 4 * 600_000)
})
