import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { createRequestOrder } from './request-order'

/** Requests that mostly repeat the bits of an earlier one, change some of them and add others. */
const anyRequests = fc
  .array(
    fc.record({
      like: fc.nat(),
      flips: fc.array(fc.nat(80), { maxLength: 2 }),
      more: fc.array(fc.boolean(), { maxLength: 12 }),
    }),
    { maxLength: 30 },
  )
  .map((plan) => {
    const requests: boolean[][] = []
    for (const { like, flips, more } of plan) {
      const length = requests.at(-1)?.length ?? 0
      const base = requests.length === 0 ? [] : (requests[like % requests.length] as boolean[])
      const bits = Array.from({ length }, (_, bit) => base[bit] ?? false)
      for (const bit of flips) if (bit < length) bits[bit] = !bits[bit]
      requests.push([...bits, ...more])
    }
    return requests
  })

test('finds what a comparison with every earlier request finds', () => {
  fc.assert(
    fc.property(anyRequests, (requests) => {
      const wordCount = Math.ceil((requests.at(-1)?.length ?? 0) / 32)
      const words = new Int32Array(requests.length * wordCount)
      for (const [request, bits] of requests.entries()) {
        for (const [bit, isSet] of bits.entries()) {
          const word = request * wordCount + (bit >>> 5)
          if (isSet) words[word] = (words[word] as number) | (1 << (31 - (bit & 31)))
        }
      }
      const lengths = Int32Array.from(requests, ({ length }) => length)
      const order = createRequestOrder(words, wordCount, lengths)
      for (const [request, bits] of requests.entries()) {
        order.add(request)
        const differences = requests
          .slice(0, request)
          .map((earlier) => earlier.findIndex((bit, at) => bit !== bits[at]))
        const whole = differences.lastIndexOf(-1)
        expect(order.wholeRequest()).toBe(whole)
        // A difference inside the start that a whole request shares is of no interest.
        const longest = Math.max(-1, ...differences)
        const isOfInterest = whole === -1 || longest >= (requests[whole] as boolean[]).length
        if (isOfInterest) expect(order.firstDifference()).toBe(longest)
        else expect(order.firstDifference()).toBeLessThanOrEqual(longest)
      }
    }),
    fuzz(1000),
  )
})
