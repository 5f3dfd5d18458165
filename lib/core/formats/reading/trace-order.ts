/** The position of an item, such as a span or an observation, in a trace. */
export interface TracePosition {
  readonly spanId: unknown
  readonly parentId: unknown
  readonly traceId: unknown
  /** In any unit. */
  readonly startTime: number
}

/** Sorts items by start time within their trace; traces stay in document order. */
export function sortByTraceAndTime<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => TracePosition,
): Item[] {
  const traces = new Map<unknown, number>()
  const ranked = items.map((item) => {
    const { traceId, startTime } = positionOf(item)
    const rank = traces.get(traceId) ?? traces.size
    traces.set(traceId, rank)
    return { item, rank, startTime }
  })
  return ranked.sort((a, b) => a.rank - b.rank || a.startTime - b.startTime).map(({ item }) => item)
}

/** Drops items that are ancestors of another item; `all` contains the items between them. */
export function dropAncestors<Item extends All, All>(
  items: readonly Item[],
  all: readonly All[],
  positionOf: (item: All) => TracePosition,
): Item[] {
  const parentOf = new Map(all.map(positionOf).map(({ spanId, parentId }) => [spanId, parentId]))
  const ancestors = new Set<unknown>()
  for (const item of items) {
    let { parentId } = positionOf(item)
    while (typeof parentId === 'string' && !ancestors.has(parentId)) {
      ancestors.add(parentId)
      parentId = parentOf.get(parentId)
    }
  }
  return items.filter((item) => !ancestors.has(positionOf(item).spanId))
}
