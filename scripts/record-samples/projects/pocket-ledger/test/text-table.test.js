import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textTable } from '../src/text-table.js'

test('aligns numbers to the right', () => {
  const table = textTable(
    ['account', 'balance'],
    [
      ['rent', '-1,150.00'],
      ['salary', '20.00'],
    ],
    [1],
  )
  assert.equal(
    table,
    ['account    balance', '-------  ---------', 'rent     -1,150.00', 'salary       20.00'].join(
      '\n',
    ),
  )
})

test('prints a header without rows', () => {
  assert.equal(textTable(['a', 'bb'], []), 'a  bb\n-  --')
})
