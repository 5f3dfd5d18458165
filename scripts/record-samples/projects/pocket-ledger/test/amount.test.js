import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AmountError, formatAmount, parseAmount } from '../src/amount.js'

test('reads whole amounts', () => {
  assert.equal(parseAmount('12'), 1200)
})

test('reads cents', () => {
  assert.equal(parseAmount('12.34'), 1234)
})

test('reads one decimal as tens of cents', () => {
  assert.equal(parseAmount('12.5'), 1250)
})

test('reads negative amounts', () => {
  assert.equal(parseAmount('-12'), -1200)
  assert.equal(parseAmount('-3.25'), -325)
})

test('reads thousands', () => {
  assert.equal(parseAmount('1,150'), 115000)
})

test('refuses what is not an amount', () => {
  for (const text of ['', 'abc', '1.234', '--1', '8.4O']) {
    assert.throws(() => parseAmount(text), AmountError)
  }
})

test('writes two decimals', () => {
  assert.equal(formatAmount(1205), '12.05')
  assert.equal(formatAmount(-1205), '-12.05')
})

test('writes thousands', () => {
  assert.equal(formatAmount(123456789), '1,234,567.89')
})
