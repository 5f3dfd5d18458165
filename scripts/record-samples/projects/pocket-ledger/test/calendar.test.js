import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, addMonths, DayError, daysInMonth, formatDay, parseDay } from '../src/calendar.js'

test('reads a day', () => {
  assert.deepEqual(parseDay('2025-03-31'), { year: 2025, month: 3, day: 31 })
})

test('refuses a day that does not exist', () => {
  for (const text of ['2025-02-30', '2025-13-01', '2025-00-10', '25-01-01', '2025-1-1']) {
    assert.throws(() => parseDay(text), DayError)
  }
})

test('knows leap years', () => {
  assert.equal(daysInMonth(2024, 2), 29)
  assert.equal(daysInMonth(2025, 2), 28)
  assert.equal(daysInMonth(2100, 2), 28)
})

test('writes a day', () => {
  assert.equal(formatDay({ year: 2025, month: 3, day: 9 }), '2025-03-09')
})

test('adds days over a month end', () => {
  assert.equal(addDays('2025-01-31', 1), '2025-02-01')
})

test('adds days over a leap day', () => {
  assert.equal(addDays('2024-02-28', 2), '2024-03-01')
})

test('adds months', () => {
  assert.equal(addMonths('2025-01-15', 1), '2025-02-15')
  assert.equal(addMonths('2025-11-15', 3), '2026-02-15')
})

test('stays in a shorter month', () => {
  assert.equal(addMonths('2025-01-31', 1), '2025-02-28')
  assert.equal(addMonths('2024-01-31', 1), '2024-02-29')
})
