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

/** Entries of a session that name their parents, as pi and Qwen Code write them. */
export interface ParentTree<Entry> {
  /** The path to the leaf. */
  readonly session: readonly Entry[]
  /** The entries of each branch that leaves the path. */
  readonly branches: readonly (readonly Entry[])[]
}

/**
 * Takes entries apart into the path to the leaf, which is the last entry unless another is given, and the branches. An
 * entry whose parent is not in the file follows the one before it; one with the id of an earlier entry continues that.
 */
export function followParents<Entry>(
  entries: readonly Entry[],
  linkOf: (entry: Entry) => { readonly id: unknown; readonly parentId: unknown },
  leaf = entries.length - 1,
): ParentTree<Entry> {
  const indexOfId = new Map<unknown, number>()
  // A parent comes before its children, so no path is a circle.
  const parents = entries.map((entry, index) => {
    const { id, parentId } = linkOf(entry)
    const parent =
      indexOfId.get(id) ?? (parentId === null ? -1 : (indexOfId.get(parentId) ?? index - 1))
    if (typeof id === 'string') indexOfId.set(id, index)
    return parent
  })
  const onPath = new Set<number>()
  for (let at = leaf; at >= 0; at = parents[at] as number) onPath.add(at)
  const branchOf = new Map<number, Entry[]>()
  for (const [index, entry] of entries.entries()) {
    if (onPath.has(index)) continue
    const branch = branchOf.get(parents[index] as number) ?? []
    branch.push(entry)
    branchOf.set(index, branch)
  }
  const session = entries.filter((_, index) => onPath.has(index))
  return { session, branches: [...new Set(branchOf.values())] }
}
