import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from './slug.js'

test('joins words with dashes', () => {
  assert.equal(slug('Release notes 2'), 'release-notes-2')
})

test('keeps the letter under an accent', () => {
  assert.equal(slug('Crème brûlée'), 'creme-brulee')
})

test('leaves no dash twice', () => {
  assert.equal(slug('salt  &  pepper -- again'), 'salt-pepper-again')
})

test('has no dash at an end', () => {
  assert.equal(slug('(draft) Why?'), 'draft-why')
})
