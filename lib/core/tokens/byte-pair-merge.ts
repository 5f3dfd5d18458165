import type { RankTable } from './rank-table'

/** More than any position; a rank times this is still a safe integer. */
const POSITIONS = 2 ** 32

/**
 * Counts the tokens of one piece, written with one character per byte: merges the adjacent pair with the lowest rank, the leftmost first, until no pair has one.
 * Takes O(n log n) steps. A queue orders the pairs by rank and position; entries of pairs that changed are skipped.
 */
export function countMergedTokens(bytes: string, ranks: RankTable): number {
  const size = bytes.length
  // A token is identified by the position of its first byte.
  const next = new Uint32Array(size)
  const previous = new Uint32Array(size)
  const pairRanks = new Int32Array(size)
  const queue = createQueue(size)
  const rankPair = (start: number): void => {
    const middle = next[start] as number
    const end = middle < size ? (next[middle] as number) : size + 1
    const rank = end > size ? -1 : ranks.rankOf(bytes, start, end)
    pairRanks[start] = rank
    if (rank !== -1) queue.push(rank * POSITIONS + start)
  }
  for (let start = 0; start < size; start++) {
    next[start] = start + 1
    previous[start] = start - 1
  }
  for (let start = 0; start < size; start++) rankPair(start)
  let tokens = size
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const start = pair % POSITIONS
    if (pairRanks[start] !== (pair - start) / POSITIONS) continue
    const middle = next[start] as number
    const end = next[middle] as number
    next[start] = end
    previous[end] = start
    pairRanks[middle] = -1
    tokens--
    rankPair(start)
    if (start > 0) rankPair(previous[start] as number)
  }
  return tokens
}

interface Queue {
  readonly push: (key: number) => void
  readonly pop: () => number | undefined
}

/** Returns a binary heap that pops the smallest number first. */
function createQueue(capacity: number): Queue {
  let heap = new Float64Array(capacity + 4)
  let size = 0
  return {
    push: (key) => {
      if (size === heap.length) {
        const larger = new Float64Array(size * 2)
        larger.set(heap)
        heap = larger
      }
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        const above = heap[parent] as number
        if (above <= key) break
        heap[at] = above
        at = parent
      }
      heap[at] = key
    },
    pop: () => {
      if (size === 0) return undefined
      const smallest = heap[0] as number
      const last = heap[--size] as number
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= size) break
        if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++
        const below = heap[child] as number
        if (below >= last) break
        heap[at] = below
        at = child
      }
      heap[at] = last
      return smallest
    },
  }
}
