import { expect, test } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { isTooLargeToEdit, joinPieces } from './large-text'

test('a large file is shown as messages until its JSON is wanted; what is typed is in an editor already', () => {
  const { store, actions } = createPlayground(spawnInline)
  const isLarge = () => isTooLargeToEdit(store.getState())
  const text = ' '.repeat(13_000_000)
  actions.openText('[]', 'small.json', { kind: 'file' })
  expect(isLarge()).toBe(false)
  actions.openText(text, 'large.json', { kind: 'file' })
  expect(isLarge()).toBe(true)
  actions.showJson()
  expect(isLarge()).toBe(false)
  actions.openText(text, 'other.json', { kind: 'file' })
  expect(isLarge()).toBe(true)
  actions.openText('[]', 'small.json', { kind: 'file' })
  actions.editText([{ start: 1, end: 1, text }])
  expect(isLarge()).toBe(false)
})

test.each([3, 3_000_000])('pieces of %d characters are joined in their order', async (length) => {
  const pieces = ['a', '', 'b'].map((letter) => letter.repeat(length))
  expect((await joinPieces(pieces)) === pieces.join('')).toBe(true)
})
