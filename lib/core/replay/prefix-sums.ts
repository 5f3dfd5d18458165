import type { Conversation } from '../conversation/conversation'

/** By message: the number of results before it. */
export function countResultsBefore({
  messages,
  results,
}: Pick<Conversation, 'messages' | 'results'>): Int32Array {
  const before = new Int32Array(messages.length + 1)
  for (const { message } of results) before[message + 1] = (before[message + 1] as number) + 1
  for (let index = 1; index < before.length; index++) {
    before[index] = (before[index] as number) + (before[index - 1] as number)
  }
  return before
}

/** Sums over the first items of a list whose items change: a Fenwick tree. Both operations take logarithmic time. */
export interface PrefixSums {
  readonly clear: () => void
  readonly add: (index: number, amount: number) => void
  /** Sum of the first `count` items. */
  readonly sumOf: (count: number) => number
}

export function createPrefixSums(length: number): PrefixSums {
  const tree = new Float64Array(length + 1)
  return {
    clear: () => tree.fill(0),
    add: (index, amount) => {
      for (let node = index + 1; node <= length; node += node & -node) {
        tree[node] = (tree[node] as number) + amount
      }
    },
    sumOf: (count) => {
      let sum = 0
      for (let node = count; node > 0; node -= node & -node) sum += tree[node] as number
      return sum
    },
  }
}
