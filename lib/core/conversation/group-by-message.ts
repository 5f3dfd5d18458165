/** Groups calls or results by the index of their message; the order within a group is unchanged. */
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
