const known = new WeakMap<object, Map<unknown, unknown>>()

/** What `make` gave before for the same owner and key. It lives as long as the owner. */
export function memoizeFor<Value>(owner: object, key: unknown, make: () => Value): Value {
  const own = known.get(owner) ?? new Map<unknown, unknown>()
  known.set(owner, own)
  if (!own.has(key)) own.set(key, make())
  return own.get(key) as Value
}

/** The same for one key at a time: that of another key takes the place of what `slot` had. */
export function memoizeLast<Value>(owner: object, slot: unknown, key: string, make: () => Value) {
  const last = memoizeFor(owner, slot, (): { key?: string; value?: Value } => ({}))
  if (last.key !== key) Object.assign(last, { key, value: make() })
  return last.value as Value
}
