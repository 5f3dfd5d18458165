/** The order of what a trace holds, and what lies below what. */

/** Where something stands in a trace. */
export interface Spot {
  readonly id: unknown
  /** The id of what it lies below. */
  readonly parent: unknown
  readonly trace: unknown
  /** When it began, in any unit. */
  readonly begun: number
}

/** By trace in the order of the document, and in each by the time of beginning. */
export function inTime<Item>(items: readonly Item[], spotOf: (item: Item) => Spot): Item[] {
  const traces = new Map<unknown, number>()
  const ranked = items.map((item) => {
    const { trace, begun } = spotOf(item)
    const rank = traces.get(trace) ?? traces.size
    traces.set(trace, rank)
    return { item, rank, begun }
  })
  return ranked.sort((a, b) => a.rank - b.rank || a.begun - b.begun).map(({ item }) => item)
}

/** Those that none of them lies below; `all` says what lies between. */
export function lowest<Item extends All, All>(
  items: readonly Item[],
  all: readonly All[],
  spotOf: (item: All) => Spot,
): Item[] {
  const parentOf = new Map(all.map(spotOf).map(({ id, parent }) => [id, parent] as const))
  const above = new Set<unknown>()
  for (const item of items) {
    let { parent } = spotOf(item)
    while (typeof parent === 'string' && !above.has(parent)) {
      above.add(parent)
      parent = parentOf.get(parent)
    }
  }
  return items.filter((item) => !above.has(spotOf(item).id))
}
