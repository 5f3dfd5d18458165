import { expect, test } from 'vitest'
import { textBlob } from './save-file'

test('a long text in pieces is encoded as a whole, pairs of surrogates included', async () => {
  const pieces = ['a', '😀'.repeat(1_500_000), 'é漢'.repeat(700_000), '', 'end']
  const blob = await textBlob(pieces, 'application/json')
  expect(blob.type).toBe('application/json')
  expect((await blob.text()) === pieces.join('')).toBe(true)
})
