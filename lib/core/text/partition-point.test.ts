import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { partitionPoint } from './partition-point'

test('the point is where a plain search finds it, whatever the numbers and the range', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(21), fc.nat(20), (numbers, sought, skipped) => {
      const sorted = numbers.toSorted((one, other) => one - other)
      const low = Math.min(skipped, sorted.length)
      const found = sorted.findIndex((number, index) => index >= low && number >= sought)
      const point = partitionPoint(
        low,
        sorted.length,
        (index) => (sorted[index] as number) < sought,
      )
      expect(point).toBe(found < 0 ? sorted.length : found)
    }),
    fuzz(100),
  )
})

test('an empty range is its own end', () => {
  expect(partitionPoint(3, 3, () => true)).toBe(3)
  expect(partitionPoint(4, 3, () => true)).toBe(4)
})
