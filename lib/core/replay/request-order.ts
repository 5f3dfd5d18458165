import { partitionPoint } from '../text/span'
import { createBitSnapshots } from './bit-snapshots'

/**
 * Requests in lexicographic order, each as a string of bits that earlier requests may share. Of all requests in such an
 * order, a neighbour shares the longest prefix.
 */
export interface RequestOrder {
  /** Sets the current bits to 0, and knows only the requests from `first` on before `end`, with these bits. */
  readonly restart: (first: number, end: number) => void
  /** Forgets all requests. */
  readonly forget: () => void
  /** Changes one of the current bits. */
  readonly flip: (bit: number) => void
  /** Adds a request with the current bits; requests are added in order. */
  readonly add: (request: number) => void
  /** The first bit in which the last request differs from the one before; `NONE` if it starts with that. */
  readonly firstChanged: () => number
  /** The latest of the earlier requests that it starts with, or `NONE`. */
  readonly wholeRequest: () => number
  /** The first bit in which it differs from the one that shares most, if that is more than a whole request, or `NONE`. */
  readonly firstDifference: () => number
  /** The last part at which two earlier requests part that share all before it with this one and among each other, or `NONE`. */
  readonly lastBranch: () => number
}

const NONE = -1

/**
 * `lengths` has the number of bits of each request, which never decreases; bits after it are ignored. `partOf` has the
 * part of each bit, ascending; without it, there are no branches.
 */
export function createRequestOrder(
  bitCount: number,
  lengths: Int32Array,
  partOf?: Int32Array,
): RequestOrder {
  const requestCount = lengths.length
  const bits = createBitSnapshots(bitCount)
  const snapshots = new Int32Array(requestCount)
  /** Requests with different strings, in order. */
  const order = new Int32Array(requestCount)
  /** By request with a string of its own: the latest request with this string, and the longest one that is its start. */
  const latest = new Int32Array(requestCount)
  const above = new Int32Array(requestCount)
  let count = 0
  /** Where the string of the last request is. */
  let lastPlace = NONE
  let [changed, whole, difference, branch] = [NONE, NONE, NONE, NONE]

  /** The first bit in which two requests differ, at most the length of the shorter one. */
  const sharedBits = (one: number, other: number): number =>
    Math.min(
      lengths[one] as number,
      lengths[other] as number,
      bits.firstDifference(snapshots[one] as number, snapshots[other] as number),
    )

  /** The part in which a request differs from an earlier one, or `NONE` if it starts with that. */
  const differentPart = (request: number, other: number): number => {
    const shared = sharedBits(request, other)
    return shared === lengths[other] ? NONE : ((partOf as Int32Array)[shared] as number)
  }

  const insert = (request: number, place: number, start: number): void => {
    order.copyWithin(place + 1, place, count)
    order[place] = request
    count++
    lastPlace = place
    latest[request] = request
    above[request] = start
  }

  /** The last branch before a request that has its place after `place` others. */
  const findBranch = (request: number, place: number): number => {
    const part = (partOf as Int32Array)[difference] as number
    const start = partitionPoint(
      0,
      place,
      (at) => differentPart(request, order[at] as number) < part,
    )
    const end = partitionPoint(
      place,
      count,
      (at) => differentPart(request, order[at] as number) === part,
    )
    // All from start to end share everything before this part.
    if (differentPart(order[end - 1] as number, order[start] as number) === part) return part
    return Math.max(
      start > 0 ? differentPart(request, order[start - 1] as number) : NONE,
      end < count ? differentPart(request, order[end] as number) : NONE,
    )
  }

  const add = (request: number): void => {
    const snapshot = bits.take()
    snapshots[request] = snapshot
    const length = lengths[request] as number
    const shared = request === 0 ? 0 : sharedBits(request, request - 1)
    changed = shared === (lengths[request - 1] ?? 0) ? NONE : shared
    difference = NONE
    branch = NONE
    if (changed === NONE && lastPlace !== NONE) {
      // None of the others is as long as the request before, so none shares more.
      const own = order[lastPlace] as number
      whole = request - 1
      if (lengths[own] === length) latest[own] = request
      else insert(request, lastPlace + 1, own)
      return
    }
    let low = 0
    let high = count
    let sharedBefore = NONE
    let sharedAfter = NONE
    // Most requests have their place near that of the one before: steps away from it grow until they have passed it.
    let step = lastPlace === NONE ? 0 : 1
    const isAfterLast = step > 0 && bits.bitAt(snapshot, changed) === 1
    if (isAfterLast) {
      low = lastPlace + 1
      sharedBefore = changed
    } else if (step > 0) {
      high = lastPlace
      sharedAfter = changed
    }
    while (low < high) {
      let middle = (low + high) >>> 1
      if (step > 0 && isAfterLast) middle = Math.min(middle, low + step - 1)
      else if (step > 0) middle = Math.max(middle, high - step)
      step *= 2
      const other = order[middle] as number
      const own = sharedBits(request, other)
      if (own === length) {
        // The same string, as no earlier request is longer. Those that differ share less than the latest request with it.
        whole = latest[other] as number
        latest[other] = request
        lastPlace = middle
        return
      }
      if (own === lengths[other] || bits.bitAt(snapshot, own) === 1) {
        low = middle + 1
        sharedBefore = own
        if (!isAfterLast) step = 0
      } else {
        high = middle
        sharedAfter = own
        if (isAfterLast) step = 0
      }
    }
    let start = low > 0 ? (order[low - 1] as number) : NONE
    const isAfterWhole = start === NONE || sharedBefore === lengths[start]
    difference = Math.max(isAfterWhole ? NONE : sharedBefore, sharedAfter)
    while (start !== NONE && (lengths[start] as number) > sharedBefore)
      start = above[start] as number
    whole = start === NONE ? NONE : (latest[start] as number)
    if (start !== NONE && difference < (lengths[start] as number)) difference = NONE
    if (partOf !== undefined && difference !== NONE) branch = findBranch(request, low)
    insert(request, low, start)
  }

  const forget = (): void => {
    count = 0
    lastPlace = NONE
  }
  const restart = (first: number, end: number): void => {
    bits.clear()
    forget()
    for (let request = first; request < end; request++) {
      snapshots[request] = 0
      const last = lastPlace === NONE ? NONE : (order[lastPlace] as number)
      if (last !== NONE && lengths[last] === lengths[request]) latest[last] = request
      else insert(request, count, last)
    }
  }
  return {
    restart,
    forget,
    flip: bits.flip,
    add,
    firstChanged: () => changed,
    wholeRequest: () => whole,
    firstDifference: () => difference,
    lastBranch: () => branch,
  }
}
