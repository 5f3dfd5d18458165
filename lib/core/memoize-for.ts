const known = new WeakMap<object, Map<unknown, unknown>>()

/** What `make` gave before for the same owner and key. It lives as long as the owner. */
export function memoizeFor<Value>(owner: object, key: unknown, make: () => Value): Value {
  const own = known.get(owner) ?? new Map<unknown, unknown>()
  known.set(owner, own)
  if (!own.has(key)) own.set(key, make())
  return own.get(key) as Value
}
