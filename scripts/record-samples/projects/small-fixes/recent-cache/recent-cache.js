/** Keeps the `size` most recently used entries. */
export function createRecentCache(size) {
  const entries = new Map()
  return {
    get(key) {
      return entries.get(key)
    },
    set(key, value) {
      entries.set(key, value)
      if (entries.size > size) entries.delete(entries.keys().next().value)
    },
    keys: () => [...entries.keys()],
  }
}
