import { expect, test } from 'vitest'
import { readTime } from './read-time'

test.each([
  ['2026-01-02T03:04:05.678Z', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
  ['2026-01-02T03:04:05+02:00', Date.UTC(2026, 0, 2, 1, 4, 5)],
  ['2026-01-02 03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['2026-01-02T03:04:05.678901', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
  [1767323045, 1767323045000],
  [1767323045.5, 1767323045500],
  [1767323045678, 1767323045678],
  [7, undefined],
  ['yesterday', undefined],
  ['2026-13-41T99:00:00Z', undefined],
  [null, undefined],
])('%j is %s', (value, time) => {
  expect(readTime(value)).toBe(time)
})
