/** The browser's storage, in memory. */
export function storageInMemory(stored = new Map<string, string>()) {
  const storage = () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  return { stored, storage }
}

/** A browser that refuses its storage. */
export const REFUSED = () => {
  throw new DOMException('refused', 'SecurityError')
}
