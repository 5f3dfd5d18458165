import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecentCache } from './recent-cache.js'

test('forgets the oldest entry', () => {
  const cache = createRecentCache(2)
  for (const key of ['a', 'b', 'c']) cache.set(key, key)
  assert.deepEqual(cache.keys(), ['b', 'c'])
})

test('reading counts as use', () => {
  const cache = createRecentCache(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual(cache.keys(), ['a', 'c'])
})

test('writing again counts as use', () => {
  const cache = createRecentCache(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  cache.set('c', 4)
  assert.deepEqual(cache.keys(), ['a', 'c'])
})

test('keeps undefined apart from absent', () => {
  const cache = createRecentCache(2)
  cache.get('nothing')
  assert.deepEqual(cache.keys(), [])
  cache.set('a', undefined)
  cache.set('b', 1)
  cache.get('a')
  assert.deepEqual(cache.keys(), ['b', 'a'])
})
