import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromRoman, toRoman } from './roman.js'

test('writes sums of letters', () => {
  assert.equal(toRoman(3), 'III')
  assert.equal(toRoman(1066), 'MLXVI')
})

test('writes four and nine by subtraction', () => {
  assert.equal(toRoman(4), 'IV')
  assert.equal(toRoman(1994), 'MCMXCIV')
})

test('reads back what it writes', () => {
  for (let number = 1; number <= 3999; number++) assert.equal(fromRoman(toRoman(number)), number)
})

test('refuses numbers without a numeral', () => {
  for (const number of [0, -1, 4000, 1.5]) assert.throws(() => toRoman(number), RangeError)
})
