import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median } from './median.js'

test('takes the middle of an odd count', () => {
  assert.equal(median([3, 1, 2]), 2)
})

test('takes the mean of the two middle values', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5)
})

test('orders by number', () => {
  assert.equal(median([100, 9, 20]), 20)
})

test('leaves its input alone', () => {
  const values = [3, 1, 2]
  median(values)
  assert.deepEqual(values, [3, 1, 2])
})
