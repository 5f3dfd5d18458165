/**
 * The sum of values of one shape, part by part: numbers, and lists and records of them. A part that one value lacks is
 * unknown in the sum; a part that is no number is that of all of them, or unknown if they differ.
 */
export function addUp<Value>(all: readonly Value[]): Value {
  return sumOf(all) as Value
}

function sumOf(all: readonly unknown[]): unknown {
  const [first] = all
  if (all.includes(undefined)) return undefined
  if (typeof first === 'number') return (all as number[]).reduce((total, one) => total + one)
  if (typeof first !== 'object' || first === null)
    return all.every((one) => one === first) ? first : undefined
  const parts = all as Readonly<Record<string, unknown>>[]
  const partOf = (key: string | number) => sumOf(parts.map((one) => one[key]))
  if (Array.isArray(first)) return first.map((_, at) => partOf(at))
  return Object.fromEntries(Object.keys(first).map((key) => [key, partOf(key)]))
}
