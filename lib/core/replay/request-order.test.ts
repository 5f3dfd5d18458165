import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { createBitSnapshots } from './bit-snapshots'
import { createRequestOrder } from './request-order'

/** Requests that mostly repeat the bits of an earlier one, change some of them and add parts of some bits each. */
const anyRequests = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.array(
      fc.record({
        like: fc.nat(),
        flips: fc.array(fc.nat(80), { maxLength: 2 }),
        more: fc.array(fc.boolean(), { maxLength: 12 }),
      }),
      { maxLength: 30 },
    ),
  )
  .map(([bitsOfPart, plan]) => {
    const requests: boolean[][] = []
    for (const { like, flips, more } of plan) {
      const length = requests.at(-1)?.length ?? 0
      const base = requests.length === 0 ? [] : (requests[like % requests.length] as boolean[])
      const bits = Array.from({ length }, (_, bit) => base[bit] ?? false)
      for (const bit of flips) if (bit < length) bits[bit] = !bits[bit]
      requests.push([...bits, ...more.flatMap((bit) => new Array<boolean>(bitsOfPart).fill(bit))])
    }
    return { requests, bitsOfPart }
  })

test('snapshots are told apart, also when those of earlier lists are too many to be kept', () => {
  const bits = createBitSnapshots(2 ** 16)
  // Lists one after another of one session: about 140,000 parts each, of which 262,144 are kept.
  for (const seed of [1, 2, 3]) {
    bits.clear()
    let before = bits.take()
    let random = seed
    for (let change = 0; change < 12_800; change++) {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
      const bit = (random >>> 8) % 2 ** 16
      bits.flip(bit)
      const after = bits.take()
      if (bits.firstDifference(before, after) !== bit) throw new RangeError(`Change ${change}`)
      bits.flip(bit)
      if (bits.take() !== before) throw new RangeError(`Change ${change} taken back`)
      bits.flip(bit)
      before = bits.take()
    }
    expect(bits.firstDifference(before, before)).toBe(Number.POSITIVE_INFINITY)
  }
})

test('finds what a comparison with every earlier request finds', () => {
  fc.assert(
    fc.property(anyRequests, ({ requests, bitsOfPart }) => {
      const lengths = Int32Array.from(requests, ({ length }) => length)
      const partOf = Int32Array.from({ length: lengths.at(-1) ?? 0 }, (_, bit) =>
        Math.floor(bit / bitsOfPart),
      )
      const order = createRequestOrder(partOf.length, lengths, partOf)
      const current = partOf.map(() => 0)
      for (const [request, bits] of requests.entries()) {
        for (const [bit, isSet] of bits.entries()) {
          if (Number(isSet) === current[bit]) continue
          current[bit] = Number(isSet)
          order.flip(bit)
        }
        order.add(request)
        const differences = requests
          .slice(0, request)
          .map((earlier) => earlier.findIndex((bit, at) => bit !== bits[at]))
        const whole = differences.lastIndexOf(-1)
        expect(order.firstChanged()).toBe(differences.at(-1) ?? -1)
        expect(order.wholeRequest()).toBe(whole)
        const longest = Math.max(-1, ...differences)
        const isOfInterest = whole === -1 || longest >= (lengths[whole] as number)
        expect(order.firstDifference()).toBe(isOfInterest ? longest : -1)
        const partsOf = (one: readonly boolean[]) =>
          Array.from({ length: one.length / bitsOfPart }, (_, part) =>
            one.slice(part * bitsOfPart, (part + 1) * bitsOfPart).join(),
          )
        const branches = requests.slice(0, request).flatMap((one, at) =>
          requests.slice(0, at).flatMap((other) => {
            const [parts, others, own] = [partsOf(one), partsOf(other), partsOf(bits)]
            const branch = others.findIndex((part, index) => part !== parts[index])
            const isShared = others.slice(0, branch).every((part, index) => part === own[index])
            return branch !== -1 && isShared ? [branch] : []
          }),
        )
        const branch = Math.max(-1, ...branches)
        const end = whole === -1 ? 0 : (lengths[whole] as number) / bitsOfPart
        expect(Math.max(order.lastBranch(), end - 1)).toBe(Math.max(branch, end - 1))
      }
    }),
    fuzz(1000),
  )
})
