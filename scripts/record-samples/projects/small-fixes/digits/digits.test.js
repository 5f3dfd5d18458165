import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBase } from './digits.js'

test('writes small numbers', () => {
  assert.equal(toBase(10, 2), '1010')
  assert.equal(toBase(255, 16), 'ff')
})

test('writes zero', () => {
  assert.equal(toBase(0, 2), '0')
})

test('writes negative numbers with a sign', () => {
  assert.equal(toBase(-10, 3), '-101')
})

test('writes numbers above 32 bits', () => {
  assert.equal(toBase(2 ** 40 + 5, 16), '10000000005')
})

test('agrees with toString', () => {
  for (const number of [1, 35, 36, 12345, -777, 2 ** 33, Number.MAX_SAFE_INTEGER]) {
    for (const base of [2, 7, 36]) assert.equal(toBase(number, base), number.toString(base))
  }
})
