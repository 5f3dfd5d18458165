/** A generator of numbers in [0, 1) that repeats for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Call ids of the length and alphabet that chat-completions servers send. */
export function createCallIds(seed: number): () => string {
  const random = createRandom(seed)
  return () => {
    let id = 'call_'
    for (let length = 0; length < 24; length++) id += base62[Math.floor(random() * base62.length)]
    return id
  }
}
