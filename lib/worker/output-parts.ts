/**
 * Sends a large output in parts. A message is read in one block of the page's main thread, which takes about a second for
 * the model of a transcript of 50 MB.
 */

/** A value to put at a path of the output, or items to append to the list there. */
export type OutputPart =
  | { readonly path: OutputPath; readonly value: unknown }
  | { readonly path: OutputPath; readonly items: readonly unknown[] }

type OutputPath = readonly (string | number)[]

/** Values in a part. */
const PART_SIZE = 10_000

/** Cuts plain data into parts, of which a list or object has at most as many values as `size`, as far as its items allow. */
export function* partsOf(
  value: unknown,
  size = PART_SIZE,
  path: OutputPath = [],
): Generator<OutputPart> {
  if (countValues(value, size) <= size) {
    yield { path, value }
  } else if (Array.isArray(value)) {
    yield { path, value: [] }
    let items: unknown[] = []
    let values = 0
    for (const [index, item] of value.entries()) {
      const added = countValues(item, size)
      if (items.length > 0 && values + added > size) {
        yield { path, items }
        items = []
        values = 0
      }
      if (added > size) yield* partsOf(item, size, [...path, index])
      else {
        items.push(item)
        values += added
      }
    }
    if (items.length > 0) yield { path, items }
  } else {
    const entries = Object.entries(value as object)
    const small = entries.filter(([, member]) => countValues(member, size) * 2 <= size)
    yield { path, value: Object.fromEntries(small) }
    for (const [key, member] of entries) {
      if (countValues(member, size) * 2 > size) yield* partsOf(member, size, [...path, key])
    }
  }
}

/** Adds a part to what the parts before it made, and returns the whole. */
export function joinPart(whole: unknown, part: OutputPart): unknown {
  if ('items' in part) {
    const list = part.path.reduce(memberOf, whole) as unknown[]
    for (const item of part.items) list.push(item)
    return whole
  }
  const key = part.path.at(-1)
  if (key === undefined) return part.value
  const owner = part.path.slice(0, -1).reduce(memberOf, whole)
  // An assignment to the key `__proto__` would add no member.
  const member = { value: part.value, writable: true, enumerable: true, configurable: true }
  Object.defineProperty(owner, key, member)
  return whole
}

function memberOf(owner: unknown, key: string | number): unknown {
  return (owner as Record<string | number, unknown>)[key]
}

/** Counts the values in plain data; stops above `most`. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 1
  let count = 1
  for (const key in value) {
    count += countValues((value as Readonly<Record<string, unknown>>)[key], most - count)
    if (count > most) break
  }
  return count
}
