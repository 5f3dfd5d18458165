import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '@/lib/core/testing/chat-messages'
import { fuzz } from '@/lib/core/testing/test-size'
import { TextParts } from './draft-records'

const unit = fc.constantFrom('a', 'é', '中', '\ud83d', '\ude00', '😀', '\ufeff', '\n')
const parts = fc.array(fc.oneof(anyText, fc.string({ unit, minLength: 1 })), { maxLength: 8 })

test('parts make their text, which a file has unless UTF-8 cannot write it', async () => {
  await fc.assert(
    fc.asyncProperty(parts, async (given) => {
      const loaded = new TextParts()
      for (const part of given) loaded.add(part)
      const { text, pieces, file } = loaded.finish()
      expect(text).toBe(given.join(''))
      expect(pieces?.slice(0)).toBe(text)
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      const written = file && decoder.decode(await file.arrayBuffer())
      expect(written).toBe(text.isWellFormed() ? text : undefined)
    }),
    fuzz(200),
  )
})
