import assert from 'node:assert/strict'
import { test } from 'node:test'
import { align } from '../src/align.js'
import { box } from '../src/box.js'
import { wrap } from '../src/wrap.js'

test('wraps at spaces', () => {
  assert.deepEqual(wrap('the quick brown fox', 10), ['the quick', 'brown fox'])
})

test('cuts a long word', () => {
  assert.deepEqual(wrap('a extraordinary b', 5), ['a', 'extra', 'ordin', 'ary b'])
})

test('keeps blank lines', () => {
  assert.deepEqual(wrap('one\n\ntwo', 10), ['one', '', 'two'])
})

test('centres with the odd space on the right', () => {
  assert.equal(align('ab', 5, 'center'), ' ab  ')
})

test('draws a frame of the width asked for', () => {
  for (const line of box('hello world', { width: 12 }).split('\n')) assert.equal(line.length, 12)
})
