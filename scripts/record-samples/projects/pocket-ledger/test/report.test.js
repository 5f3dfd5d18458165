import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balances, monthly, topPayees } from '../src/report.js'

const entry = (date, account, payee, cents) => ({ date, account, payee, cents })

test('sums by account, by name', () => {
  const rows = balances([
    entry('2025-01-01', 'rent', 'Harbour Housing', -115000),
    entry('2025-01-02', 'groceries', 'Corner Market', -1200),
    entry('2025-01-03', 'groceries', 'Bakery Lind', -300),
  ])
  assert.deepEqual(rows, [
    { account: 'groceries', cents: -1500 },
    { account: 'rent', cents: -115000 },
  ])
})

test('runs over the months', () => {
  const rows = monthly([
    entry('2025-01-25', 'salary', 'Tern Workshop', 200000),
    entry('2025-01-01', 'rent', 'Harbour Housing', -115000),
    entry('2025-02-25', 'salary', 'Tern Workshop', 200000),
    entry('2025-02-01', 'rent', 'Harbour Housing', -115000),
  ])
  assert.deepEqual(
    rows.map((row) => row.runningCents),
    [85000, 170000],
  )
})

test('ranks payees by what was spent', () => {
  const rows = topPayees(
    [
      entry('2025-01-01', 'rent', 'Harbour Housing', -115000),
      entry('2025-01-02', 'groceries', 'Corner Market', -900),
      entry('2025-01-03', 'groceries', 'Bakery Lind', -3000),
    ],
    2,
  )
  assert.deepEqual(rows, [
    { payee: 'Harbour Housing', cents: -115000 },
    { payee: 'Bakery Lind', cents: -3000 },
  ])
})
