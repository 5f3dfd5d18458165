/** Calls or results by the index of their message, in their order. */
export function groupByMessage<Item extends { readonly message: number }>(
  items: readonly Item[],
): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const group = groups.get(item.message)
    if (group === undefined) groups.set(item.message, [item])
    else group.push(item)
  }
  return groups
}
