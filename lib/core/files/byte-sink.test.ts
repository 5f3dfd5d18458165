import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReadError } from '../problem'
import { fuzz } from '../testing/test-size'
import { createByteSink, createUnpackBudget } from './byte-sink'

test('all bytes are collected in order, whatever size was expected, and never more than the budget', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), fc.nat(100), fc.nat(100), (pieces, expected, limit) => {
      const budget = createUnpackBudget(limit)
      const sink = createByteSink('a', budget, expected)
      const whole = Buffer.concat(pieces)
      const collect = () => {
        for (const piece of pieces) sink.write(piece)
        return sink.finish()
      }
      if (whole.length > limit) {
        expect(collect).toThrow(ReadError)
        expect(budget.bytesLeft).toBe(limit)
      } else {
        expect(whole.equals(collect())).toBe(true)
        expect(budget.bytesLeft).toBe(limit - whole.length)
      }
    }),
    fuzz(1_000),
  )
})
