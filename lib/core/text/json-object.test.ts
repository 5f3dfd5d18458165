import fc from 'fast-check'
import { expect, test } from 'vitest'
import { valueAtPointer } from '../testing/expect-masked'
import { forAll } from '../testing/test-size'
import { inEnglish } from '../words/english'
import { jsonPointer, readablePath, valueAtPath } from './json-object'

test('a pointer leads back to its value, whatever the keys', () => {
  const anyKey = fc.oneof(fc.constantFrom('~', '/', '~1', '~0', '', '__proto__', 'é'), fc.string())
  forAll(100, [fc.array(anyKey, { maxLength: 5 })], (path) => {
    const value = path.reduceRight<unknown>(
      (inner, key) => Object.fromEntries([[key, inner]]),
      'found',
    )
    expect(valueAtPointer(value, jsonPointer(path))).toBe('found')
  })
})

test.each([
  [[], '', 'the document'],
  [['messages', 4, 'content'], '/messages/4/content', 'messages[4].content'],
  [[0, 'a/b', '~'], '/0/a~1b/~0', '[0]["a/b"]["~"]'],
])('%j is written as %j and for people as %j', (path, pointer, readable) => {
  expect(jsonPointer(path)).toBe(pointer)
  expect(inEnglish(readablePath(path))).toBe(readable)
})

test.each([
  [['a', 1, 'b'], 2],
  [['a', 3, 'b'], undefined],
  [['a', 0, 'b', 'c'], undefined],
  [['none', 'b'], undefined],
])('the value at %j is %j', (path, value) => {
  expect(valueAtPath({ a: [null, { b: 2 }], none: null }, path)).toBe(value)
})
