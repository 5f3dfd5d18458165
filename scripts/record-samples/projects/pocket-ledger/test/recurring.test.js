import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandRule, expandRules } from '../src/recurring.js'

const rent = {
  account: 'rent',
  payee: 'Harbour Housing',
  amount: '-1,150',
  start: '2025-01-31',
  every: 1,
  unit: 'month',
}

test('books every two weeks', () => {
  const rule = { ...rent, start: '2025-01-06', every: 2, unit: 'week' }
  const days = expandRule(rule, '2025-01-01', '2025-02-15').map((booking) => booking.date)
  assert.deepEqual(days, ['2025-01-06', '2025-01-20', '2025-02-03'])
})

test('books on the last day of shorter months', () => {
  const days = expandRule(rent, '2025-01-01', '2025-05-31').map((booking) => booking.date)
  assert.deepEqual(days, ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31'])
})

test('orders bookings of several rules by day', () => {
  const power = { ...rent, payee: 'North Power', start: '2025-01-05' }
  const days = expandRules([rent, power], '2025-01-01', '2025-01-31').map(({ date }) => date)
  assert.deepEqual(days, ['2025-01-05', '2025-01-31'])
})
