/**
 * Snapshots of a list of bits that changes. The list is a binary tree of words of 32 bits, and equal subtrees of all
 * snapshots have the same number. A change, a snapshot and a comparison take logarithmic time.
 */
export interface BitSnapshots {
  /** Sets all bits to 0; earlier snapshots are no longer valid. */
  readonly clear: () => void
  readonly flip: (bit: number) => void
  /** The number of the current list; equal lists have the same number. */
  readonly take: () => number
  /** The first bit in which two snapshots differ; `Infinity` if they are equal. */
  readonly firstDifference: (one: number, other: number) => number
  readonly bitAt: (snapshot: number, bit: number) => number
}

/** Subtrees that are kept for the next list. */
const MOST_KEPT = 2 ** 18

export function createBitSnapshots(length: number): BitSnapshots {
  let size = 1
  while (size * 32 < length) size *= 2
  /** The current tree: node 1 is the root, the words start at `size`. A subtree of zeros has the number 0. */
  const tree = new Int32Array(2 * size)
  const changedWords: number[] = []
  let changedCount = 0
  /** By number: the two halves. */
  let left = new Int32Array(32 * size)
  let right = new Int32Array(32 * size)
  let count = 1
  /** A hash table of numbers, at most half full. */
  let table = new Int32Array(64 * size)

  const slotOf = (first: number, second: number): number => {
    const mixed = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b)
    let slot = (mixed ^ (mixed >>> 15)) & (table.length - 1)
    for (;;) {
      const number = table[slot] as number
      if (number === 0 || (left[number] === first && right[number] === second)) return slot
      slot = (slot + 1) & (table.length - 1)
    }
  }
  const grow = (): void => {
    const [lefts, rights] = [left, right]
    left = new Int32Array(2 * count)
    right = new Int32Array(2 * count)
    left.set(lefts)
    right.set(rights)
    table = new Int32Array(4 * count)
    for (let number = 1; number < count; number++) {
      table[slotOf(left[number] as number, right[number] as number)] = number
    }
  }
  const numberOf = (first: number, second: number): number => {
    if (first === 0 && second === 0) return 0
    const slot = slotOf(first, second)
    const known = table[slot] as number
    if (known !== 0) return known
    left[count] = first
    right[count] = second
    table[slot] = count
    count++
    if (count === left.length) grow()
    return count - 1
  }

  return {
    clear: () => {
      tree.fill(0)
      changedCount = 0
      if (count < MOST_KEPT) return
      count = 1
      table.fill(0)
    },
    flip: (bit) => {
      const word = size + (bit >>> 5)
      tree[word] = (tree[word] as number) ^ (1 << (31 - (bit & 31)))
      if (changedCount > 0 && changedWords[changedCount - 1] === word) return
      changedWords[changedCount] = word
      changedCount++
    },
    take: () => {
      for (let index = 0; index < changedCount; index++) {
        for (let node = (changedWords[index] as number) >> 1; node >= 1; node >>= 1) {
          tree[node] = numberOf(tree[2 * node] as number, tree[2 * node + 1] as number)
        }
      }
      changedCount = 0
      return tree[1] as number
    },
    firstDifference: (one, other) => {
      if (one === other) return Number.POSITIVE_INFINITY
      let first = one
      let second = other
      let word = 0
      for (let half = size >> 1; half >= 1; half >>= 1) {
        if (left[first] !== left[second]) {
          first = left[first] as number
          second = left[second] as number
        } else {
          first = right[first] as number
          second = right[second] as number
          word += half
        }
      }
      return word * 32 + Math.clz32(first ^ second)
    },
    bitAt: (snapshot, bit) => {
      let word = snapshot
      for (let half = size >> 1; half >= 1; half >>= 1) {
        word = (((bit >>> 5) & half) === 0 ? left[word] : right[word]) as number
      }
      return (word >>> (31 - (bit & 31))) & 1
    },
  }
}
