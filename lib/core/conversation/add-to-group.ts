/** Adds an item to the list under a key. */
export function addToGroup<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}

/** The items by a key, in their order. */
export function groupBy<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) addToGroup(groups, keyOf(item), item)
  return groups
}

/** How many items there are by a key, in the order of the first of each. */
export function countBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key) {
  const groups = [...groupBy(items, keyOf)]
  return new Map(groups.map(([key, { length }]) => [key, length] as const))
}
