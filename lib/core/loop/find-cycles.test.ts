import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCycles } from './find-cycles'

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
])('in %s the cycles are %j', (items, stretches) => {
  const found = findCycles([...items])
  expect(found.map(({ start, length }) => items.slice(start, start + length))).toEqual(stretches)
})

test('every cycle alternates between two things, is as long as it can be, and none overlaps another', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 40 }), (items) => {
      let end = 0
      for (const { start, length } of findCycles(items)) {
        expect(start).toBeGreaterThanOrEqual(end)
        const [a, b] = [items[start], items[start + 1]]
        expect(a).not.toBe(b)
        const stretch = items.slice(start, start + length)
        expect(stretch).toEqual(stretch.map((_, at) => (at % 2 === 0 ? a : b)))
        expect(items[start + length]).not.toBe(items[start + length - 2])
        end = start + length
      }
    }),
  )
})

test('no stretch of two rounds is missed', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 40 }), (items) => {
      const found = findCycles(items)
      for (let at = 0; at + 4 <= items.length; at++) {
        const [a, b, c, d] = items.slice(at, at + 4)
        if (a === b || a !== c || b !== d) continue
        // Two stretches may share an item; then the earlier has it.
        const isFound = found.some(
          ({ start, length }) => start <= at + 1 && at + 3 <= start + length,
        )
        const isShared = found.some(({ start, length }) => start < at && at < start + length)
        expect(isFound || isShared).toBe(true)
      }
    }),
  )
})
