import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLedger } from '../src/ledger.js'

const header = 'date,account,payee,amount,note\n'

test('reads an entry', () => {
  const { entries, problems } = readLedger(`${header}2025-01-02,groceries,Corner Market,-12.30,\n`)
  assert.equal(problems.length, 0)
  assert.equal(entries[0].account, 'groceries')
  assert.equal(entries[0].cents, -1230)
})

test('names the line of a wrong date', () => {
  const { problems } = readLedger(`${header}2025-02-30,groceries,Corner Market,-1,\n`)
  assert.deepEqual(problems, [{ line: 2, message: 'not a day: "2025-02-30"' }])
})

test('counts the lines inside a quoted note', () => {
  const text = `${header}2025-01-25,salary,Tern Workshop,10,"net\nsee slip"\n2025-01-26,rent,,-1,\n`
  const { problems } = readLedger(text)
  assert.deepEqual(problems, [{ line: 4, message: 'missing payee' }])
})

test('reports too many fields', () => {
  const { problems } = readLedger(`${header}2025-01-02,groceries,Corner Market,-12,30,x\n`)
  assert.deepEqual(problems, [{ line: 2, message: '6 fields, 5 expected' }])
})

test('reports a booking that stands twice', () => {
  const row = '2025-01-02,groceries,Corner Market,-12.30,\n'
  const { problems } = readLedger(header + row + row)
  assert.deepEqual(problems, [{ line: 3, message: 'same as line 2' }])
})
