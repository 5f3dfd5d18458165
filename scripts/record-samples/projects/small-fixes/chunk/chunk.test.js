import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunk } from './chunk.js'

test('cuts evenly', () => {
  assert.deepEqual(chunk([1, 2, 3, 4], 2), [
    [1, 2],
    [3, 4],
  ])
})

test('keeps a shorter last piece', () => {
  assert.deepEqual(chunk([1, 2, 3], 2), [[1, 2], [3]])
})

test('has no piece for an empty list', () => {
  assert.deepEqual(chunk([], 3), [])
})

test('refuses a size that cannot advance', () => {
  for (const size of [0, -1, 1.5]) assert.throws(() => chunk([1, 2], size), RangeError)
})
