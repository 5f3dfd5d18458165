type OfMessage = { readonly message: number }

/** Groups calls or results by the index of their message; the order within a group is unchanged. */
export function groupByMessage<Item extends OfMessage>(
  items: readonly Item[],
): ReadonlyMap<number, readonly Item[]> {
  return group(items, (index) => items[index] as Item)
}

/** The same with the indexes of the calls or results. */
export function indexByMessage(
  items: readonly OfMessage[],
): ReadonlyMap<number, readonly number[]> {
  return group(items, (index) => index)
}

function group<Member>(
  items: readonly OfMessage[],
  memberAt: (index: number) => Member,
): ReadonlyMap<number, readonly Member[]> {
  const groups = new Map<number, Member[]>()
  for (const [index, { message }] of items.entries()) {
    const members = groups.get(message)
    if (members === undefined) groups.set(message, [memberAt(index)])
    else members.push(memberAt(index))
  }
  return groups
}
