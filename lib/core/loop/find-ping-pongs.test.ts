import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { findPingPongs } from './find-repeated-calls'

test.each([
  ['', []],
  ['ABAB', ['ABAB']],
  ['ABABA', ['ABABA']],
  ['ABA', []],
  ['AAAA', []],
  ['CABABC', ['ABAB']],
  ['ABABCBCB', ['ABAB', 'CBCB']],
  ['AABABB', ['ABAB']],
  ['ABCABC', []],
])('in %s the ping-pongs are %j', (items, stretches) => {
  const found = findPingPongs([...items])
  expect(found.map(({ start, length }) => items.slice(start, start + length))).toEqual(stretches)
})

test('every ping-pong alternates two values, has full length and overlaps no other', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 40 }), (items) => {
      let end = 0
      for (const { start, length } of findPingPongs(items)) {
        expect(start).toBeGreaterThanOrEqual(end)
        const [a, b] = [items[start], items[start + 1]]
        expect(a).not.toBe(b)
        const stretch = items.slice(start, start + length)
        expect(stretch).toEqual(stretch.map((_, at) => (at % 2 === 0 ? a : b)))
        expect(items[start + length]).not.toBe(items[start + length - 2])
        end = start + length
      }
    }),
    fuzz(100),
  )
})

test('finds every ping-pong of two rounds', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 40 }), (items) => {
      const found = findPingPongs(items)
      for (let at = 0; at + 4 <= items.length; at++) {
        const [a, b, c, d] = items.slice(at, at + 4)
        if (a === b || a !== c || b !== d) continue
        // Two ping-pongs may share an item, which then belongs to the earlier one.
        const isFound = found.some(
          ({ start, length }) => start <= at + 1 && at + 3 <= start + length,
        )
        const isShared = found.some(({ start, length }) => start < at && at < start + length)
        expect(isFound || isShared).toBe(true)
      }
    }),
    fuzz(100),
  )
})
