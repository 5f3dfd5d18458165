import { expect, test } from 'vitest'
import { openedOnce, readOf } from '../testing/eventually'
import { storageInMemory } from '../testing/storage-in-memory'
import { readEarlierView, rememberView, viewOf } from './output-view'

const MESSAGES = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
]

test.each([
  ['pretty-printed JSON', JSON.stringify(MESSAGES, null, 2), 'masked'],
  ['JSON on one line', JSON.stringify(MESSAGES), 'messages'],
  ['JSON Lines', MESSAGES.map((message) => JSON.stringify(message)).join('\n'), 'messages'],
])('%s opens in the view that suits it', async (_, text, expected) => {
  const { store } = await openedOnce(readOf, text)
  expect(viewOf(store.getState())).toBe(expected)
})

test('a choice of this page comes first, then one of an earlier page', () => {
  const { storage } = storageInMemory()
  expect(readEarlierView(storage)).toBeUndefined()
  rememberView(storage, 'messages')
  const earlierView = readEarlierView(storage)
  expect(viewOf({ view: undefined, earlierView, read: undefined })).toBe('messages')
  expect(viewOf({ view: 'diff', earlierView, read: undefined })).toBe('diff')
})
