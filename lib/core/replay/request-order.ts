/**
 * Requests in lexicographic order, each as a string of bits that earlier requests may share. Of all requests in such an
 * order, a neighbour shares the longest prefix.
 */
export interface RequestOrder {
  readonly clear: () => void
  /** Adds a request after all earlier ones. */
  readonly add: (request: number) => void
  /** What the last request shares with earlier ones: the latest of those that it starts with, or -1. */
  readonly wholeRequest: () => number
  /** The first bit in which it differs from the one that shares most of those it does not start with, or -1. */
  readonly firstDifference: () => number
}

/**
 * `words` has the bits of each request, 32 in each of `wordCount` numbers; `lengths` has their number, which never
 * decreases. Bits after the end are 0.
 */
export function createRequestOrder(
  words: Int32Array,
  wordCount: number,
  lengths: Int32Array,
): RequestOrder {
  const requestCount = lengths.length
  /** Requests with different strings, in order. */
  const order = new Int32Array(requestCount)
  /** By request with a string of its own: the latest request with this string, and the longest one that is its start. */
  const latest = new Int32Array(requestCount)
  const above = new Int32Array(requestCount)
  let count = 0
  let whole = -1
  let difference = -1

  /** The first bit in which two requests differ, at most the length of the shorter one. */
  const firstDifference = (one: number, other: number): number => {
    const shorter = Math.min(lengths[one] as number, lengths[other] as number)
    for (let word = 0; word * 32 < shorter; word++) {
      const bits =
        (words[one * wordCount + word] as number) ^ (words[other * wordCount + word] as number)
      if (bits !== 0) return Math.min(shorter, word * 32 + Math.clz32(bits))
    }
    return shorter
  }

  const bitAt = (request: number, bit: number): number =>
    ((words[request * wordCount + (bit >>> 5)] as number) >>> (31 - (bit & 31))) & 1

  return {
    clear: () => {
      count = 0
    },
    wholeRequest: () => whole,
    firstDifference: () => difference,
    add: (request) => {
      const length = lengths[request] as number
      let [low, high] = [0, count]
      let [sharedBefore, sharedAfter] = [-1, -1]
      while (low < high) {
        const middle = (low + high) >>> 1
        const other = order[middle] as number
        const shared = firstDifference(request, other)
        if (shared === lengths[other] && shared === length) {
          // The same string. Those that differ share less than the latest request with it.
          whole = latest[other] as number
          difference = -1
          latest[other] = request
          return
        }
        if (shared === lengths[other] || bitAt(request, shared) === 1) {
          low = middle + 1
          sharedBefore = shared
        } else {
          high = middle
          sharedAfter = shared
        }
      }
      const before = low > 0 ? (order[low - 1] as number) : -1
      const after = low < count ? (order[low] as number) : -1
      let start = before
      while (start !== -1 && (lengths[start] as number) > sharedBefore)
        start = above[start] as number
      whole = start === -1 ? -1 : (latest[start] as number)
      const isBeforeWhole = before === -1 || sharedBefore === lengths[before]
      difference = Math.max(isBeforeWhole ? -1 : sharedBefore, after === -1 ? -1 : sharedAfter)
      order.copyWithin(low + 1, low, count)
      order[low] = request
      count++
      latest[request] = request
      above[request] = start
    },
  }
}
