import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { createBitSnapshots } from './bit-snapshots'
import { createRequestOrder } from './request-order'

interface AnyRequest {
  readonly bits: readonly boolean[]
  /** True if all earlier requests are forgotten before it. */
  readonly isFirst: boolean
}

/** Requests that mostly repeat the bits of an earlier one, change some of them and add parts of some bits each. */
const anyRequests = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.array(
      fc.record({
        like: fc.nat(),
        flips: fc.array(fc.nat(80), { maxLength: 2 }),
        more: fc.oneof(
          fc.constant<boolean[]>([]),
          fc.array(fc.boolean(), { minLength: 1, maxLength: 1 }),
          fc.array(fc.boolean(), { maxLength: 12 }),
        ),
        isFirst: fc.nat(9).map((one) => one === 0),
      }),
      { maxLength: 30 },
    ),
    fc.nat(),
    fc.nat(),
  )
  .map(([bitsOfPart, plan, end, first]) => {
    const requests: AnyRequest[] = []
    for (const { like, flips, more, isFirst } of plan) {
      const length = requests.at(-1)?.bits.length ?? 0
      const base = requests.length === 0 ? [] : requests[like % requests.length]?.bits
      const bits = Array.from({ length }, (_, bit) => base?.[bit] ?? false)
      for (const flipped of flips) {
        const bit = flipped % (length + 1)
        if (bit < length) bits[bit] = !bits[bit]
      }
      const added = more.flatMap((bit) => new Array<boolean>(bitsOfPart).fill(bit))
      requests.push({ bits: [...bits, ...added], isFirst })
    }
    const known = end % (requests.length + 1)
    return { requests, bitsOfPart, end: known, first: known === 0 ? 0 : first % known }
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

type Bits = readonly boolean[]

test('finds what a comparison with every earlier request finds', () => {
  fc.assert(
    fc.property(anyRequests, ({ requests, bitsOfPart, end, first }) => {
      const lengths = Int32Array.from(requests, ({ bits }) => bits.length)
      const partOf = Int32Array.from({ length: lengths.at(-1) ?? 0 }, (_, bit) =>
        Math.floor(bit / bitsOfPart),
      )
      const partsOf = (bits: Bits) =>
        Array.from({ length: bits.length / bitsOfPart }, (_, part) =>
          bits.slice(part * bitsOfPart, (part + 1) * bitsOfPart).join(),
        )
      const order = createRequestOrder(partOf.length, lengths, partOf)
      const without = createRequestOrder(partOf.length, lengths)
      const current = partOf.map(() => 0)

      /** Adds a request after those before it, of which only some are known. */
      const check = (request: number, before: readonly Bits[], knownFrom: number) => {
        const { bits } = requests[request] as AnyRequest
        for (const [bit, isSet] of bits.entries()) {
          if (Number(isSet) === current[bit]) continue
          current[bit] = Number(isSet)
          order.flip(bit)
          without.flip(bit)
        }
        order.add(request)
        without.add(request)
        const known = before.slice(knownFrom)
        const differenceFrom = (earlier: Bits) => earlier.findIndex((bit, at) => bit !== bits[at])
        const differences = known.map(differenceFrom)
        const whole = differences.lastIndexOf(-1)
        const last = before.at(-1)
        expect(order.firstChanged()).toBe(last === undefined ? -1 : differenceFrom(last))
        expect(order.wholeRequest()).toBe(whole === -1 ? -1 : knownFrom + whole)
        const longest = Math.max(-1, ...differences)
        const wholeLength = known[whole]?.length
        const isOfInterest = wholeLength === undefined || longest >= wholeLength
        expect(order.firstDifference()).toBe(isOfInterest ? longest : -1)
        expect([without.wholeRequest(), without.firstDifference(), without.lastBranch()]).toEqual([
          order.wholeRequest(),
          order.firstDifference(),
          -1,
        ])
        const branches = known.flatMap((one, at) =>
          known.slice(0, at).flatMap((other) => {
            const [parts, others, own] = [partsOf(one), partsOf(other), partsOf(bits)]
            const branch = others.findIndex((part, index) => part !== parts[index])
            const isShared = others.slice(0, branch).every((part, index) => part === own[index])
            return branch !== -1 && isShared ? [branch] : []
          }),
        )
        const branch = Math.max(-1, ...branches)
        const wholeEnd = (wholeLength ?? 0) / bitsOfPart
        expect(Math.max(order.lastBranch(), wholeEnd - 1)).toBe(Math.max(branch, wholeEnd - 1))
      }
      const walk = (start: number, startKnown: number) => {
        const before: Bits[] = requests.slice(0, start).map(({ bits }) => bits.map(() => false))
        let knownFrom = startKnown
        for (let request = start; request < requests.length; request++) {
          const { bits, isFirst } = requests[request] as AnyRequest
          if (isFirst) {
            order.forget()
            without.forget()
            knownFrom = request
          }
          check(request, before, knownFrom)
          before.push(bits)
        }
      }
      walk(0, 0)
      for (const one of [order, without]) one.restart(first, end)
      current.fill(0)
      walk(end, first)
    }),
    fuzz(1000),
  )
})
