import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRows, parseRecords, parseRows } from '../src/csv.js'

const fieldsOf = (text) => parseRows(text).map((row) => row.fields)

test('splits rows and fields', () => {
  assert.deepEqual(fieldsOf('a,b\n1,2\n'), [
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('reads a last row without a line end', () => {
  assert.deepEqual(fieldsOf('a,b\n1,2'), [
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('keeps commas inside quotes', () => {
  assert.deepEqual(fieldsOf('"a, b",c\n'), [['a, b', 'c']])
})

test('reads a doubled quote as one quote', () => {
  assert.deepEqual(fieldsOf('"say ""hi"", twice",x\n'), [['say "hi", twice', 'x']])
})

test('skips blank lines', () => {
  assert.deepEqual(fieldsOf('a\n\nb\n'), [['a'], ['b']])
})

test('keeps an empty last field', () => {
  assert.deepEqual(fieldsOf('a,\n'), [['a', '']])
})

test('gives records their header keys', () => {
  const [first] = parseRecords('date,payee\n2025-01-01,Corner Market\n')
  assert.deepEqual(first.record, { date: '2025-01-01', payee: 'Corner Market' })
})

test('what is written reads back the same', () => {
  const rows = [
    ['plain', 'with, comma'],
    ['with "quotes"', 'two\nlines'],
    ['', ' spaces '],
  ]
  assert.deepEqual(fieldsOf(formatRows(rows)), rows)
})
