/** Sums over the beginning of a list whose items change: a Fenwick tree, logarithmic in both directions. */
export interface PrefixSums {
  readonly clear: () => void
  readonly add: (index: number, amount: number) => void
  /** Sum of the first `count` items. */
  readonly sumOf: (count: number) => number
}

export function prefixSums(length: number): PrefixSums {
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
