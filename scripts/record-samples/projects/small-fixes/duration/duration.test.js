import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from './duration.js'

test('reads one unit', () => {
  assert.equal(parseDuration('45s'), 45)
  assert.equal(parseDuration('2d'), 172800)
})

test('adds several units', () => {
  assert.equal(parseDuration('1h30m'), 5400)
  assert.equal(parseDuration('2d 4h'), 187200)
})

test('refuses anything else', () => {
  for (const text of ['', 'soon', '5', '5x', '1h and 2m']) {
    assert.throws(() => parseDuration(text), { name: 'TypeError', message: /not a duration/ })
  }
})

test('writes the largest unit first', () => {
  assert.equal(formatDuration(5400), '1h30m')
  assert.equal(formatDuration(90061), '1d1h1m1s')
})

test('writes nothing as no seconds', () => {
  assert.equal(formatDuration(0), '0s')
})
