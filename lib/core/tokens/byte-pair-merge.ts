/** More than any position; a rank times this is still a safe integer. */
const POSITIONS = 2 ** 32

/**
 * Counts the tokens of one piece, written with one character per byte: merges the adjacent pair with the lowest rank, the leftmost first, until no pair has one.
 * Takes O(n log n) steps. A queue orders the pairs by rank and position; entries of pairs that changed are skipped.
 */
export function countMergedTokens(bytes: string, ranks: RankTable): number {
  const size = bytes.length
  // A token is identified by the position of its first byte.
  const next = new Uint32Array(size)
  const previous = new Uint32Array(size)
  const pairRanks = new Int32Array(size)
  const queue = createQueue(size)
  const rankPair = (start: number): void => {
    const middle = next[start] as number
    const end = middle < size ? (next[middle] as number) : size + 1
    const rank = end > size ? -1 : ranks.rankOf(bytes, start, end)
    pairRanks[start] = rank
    if (rank !== -1) queue.push(rank * POSITIONS + start)
  }
  for (let start = 0; start < size; start++) {
    next[start] = start + 1
    previous[start] = start - 1
  }
  for (let start = 0; start < size; start++) rankPair(start)
  let tokens = size
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const start = pair % POSITIONS
    if (pairRanks[start] !== (pair - start) / POSITIONS) continue
    const middle = next[start] as number
    const end = next[middle] as number
    next[start] = end
    previous[end] = start
    pairRanks[middle] = -1
    tokens--
    rankPair(start)
    if (start > 0) rankPair(previous[start] as number)
  }
  return tokens
}

/** Returns a binary heap that pops the smallest number first. */
function createQueue(capacity: number) {
  let heap = new Float64Array(capacity + 4)
  let size = 0
  return {
    push: (key: number): void => {
      if (size === heap.length) {
        const larger = new Float64Array(size * 2)
        larger.set(heap)
        heap = larger
      }
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        const above = heap[parent] as number
        if (above <= key) break
        heap[at] = above
        at = parent
      }
      heap[at] = key
    },
    pop: (): number | undefined => {
      if (size === 0) return undefined
      const smallest = heap[0] as number
      const last = heap[--size] as number
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= size) break
        if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++
        const below = heap[child] as number
        if (below >= last) break
        heap[at] = below
        at = child
      }
      heap[at] = last
      return smallest
    },
  }
}

/** A token as gpt-tokenizer lists it: its text, or its bytes if they are not whole characters. */
export type ListedToken = string | readonly number[]

/** The length of a token is packed as the character this far after the number's own. Few of these characters need an escape. */
const FIRST_LENGTH = 0x30
const MOST_BYTES = 0xff - FIRST_LENGTH
const BYTE_ORDER_MARK = '\xef\xbb\xbf'

/**
 * Packs tokens, listed by rank, into one string of Latin-1 characters: one for the length of each token, then one for each
 * byte of all tokens. Engines read it several times faster than a list. A token that begins with a byte order mark becomes
 * empty, since gpt-tokenizer never finds it. Throws a `RangeError` if a token has more than 207 bytes.
 */
export function packTokens(tokens: readonly ListedToken[]): string {
  const all = tokens.map((token) => {
    const bytes = typeof token === 'string' ? utf8Bytes(token) : String.fromCharCode(...token)
    if (bytes.length > MOST_BYTES)
      throw new RangeError(`Expected tokens of at most ${MOST_BYTES} bytes, found ${bytes.length}.`)
    return bytes.startsWith(BYTE_ORDER_MARK) ? '' : bytes
  })
  const lengths = all.map(({ length }) => String.fromCharCode(FIRST_LENGTH + length))
  return lengths.join('') + all.join('')
}

/** Finds the rank of a byte sequence: a hash table with linear probing over the bytes of all tokens. */
export class RankTable {
  /** The bytes of all tokens. */
  readonly #bytes: Uint8Array
  /** By rank: index of the token's first byte; then the number of all bytes. */
  readonly #starts: Uint32Array
  /** By hash: rank + 1, or 0 for none. Its length is a power of two. */
  readonly #slots: Int32Array
  readonly #longest: number

  /** Reads what `packTokens` returns. */
  constructor(packed: string) {
    const lengthOf = (rank: number) => packed.charCodeAt(rank) - FIRST_LENGTH
    let size = 0
    for (let bytes = 0; size + bytes < packed.length; size++) bytes += lengthOf(size)
    this.#bytes = new Uint8Array(packed.length - size)
    this.#starts = new Uint32Array(size + 1)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * size + 1)))
    let longest = 0
    let at = 0
    for (let rank = 0; rank < size; rank++) {
      const length = lengthOf(rank)
      const end = at + length
      if (length > longest) longest = length
      let hash = 0
      for (; at < end; at++) {
        const byte = packed.charCodeAt(size + at)
        this.#bytes[at] = byte
        hash = nextHash(hash, byte)
      }
      this.#starts[rank + 1] = end
      if (length > 0) this.#addRank(rank, hash)
    }
    this.#longest = longest
  }

  #addRank(rank: number, hash: number): void {
    const slots = this.#slots
    let slot = firstSlot(hash, slots)
    while (slots[slot] !== 0) slot = nextSlot(slot, slots)
    slots[slot] = rank + 1
  }

  /** Rank of the bytes from `start` to `end`, one per character; -1 if they are no token. */
  rankOf(text: string, start: number, end: number): number {
    if (end - start > this.#longest) return -1
    let hash = 0
    for (let at = start; at < end; at++) hash = nextHash(hash, text.charCodeAt(at))
    const slots = this.#slots
    for (let slot = firstSlot(hash, slots); ; slot = nextSlot(slot, slots)) {
      const rank = (slots[slot] as number) - 1
      if (rank === -1 || this.#isToken(rank, text, start, end)) return rank
    }
  }

  #isToken(rank: number, text: string, start: number, end: number): boolean {
    const first = this.#starts[rank] as number
    const length = (this.#starts[rank + 1] as number) - first
    if (length !== end - start) return false
    for (let at = 0; at < length; at++)
      if (this.#bytes[first + at] !== text.charCodeAt(start + at)) return false
    return true
  }
}

/** One step of a multiplicative hash (FNV-1a without its start). */
function nextHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

function firstSlot(hash: number, slots: Int32Array): number {
  return (hash ^ (hash >>> 15)) & (slots.length - 1)
}

function nextSlot(slot: number, slots: Int32Array): number {
  return (slot + 1) & (slots.length - 1)
}

const NON_ASCII = /[^\0-\x7f]/

/** Encodes a text as UTF-8, with one character per byte; a lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): string {
  if (!NON_ASCII.test(text)) return text
  let bytes = ''
  for (const char of text.toWellFormed()) {
    const code = char.codePointAt(0) as number
    if (code < 0x80) bytes += char
    else if (code < 0x800) bytes += String.fromCharCode(0xc0 | (code >> 6), tail(code))
    else if (code < 0x10000)
      bytes += String.fromCharCode(0xe0 | (code >> 12), tail(code >> 6), tail(code))
    else
      bytes += String.fromCharCode(
        0xf0 | (code >> 18),
        tail(code >> 12),
        tail(code >> 6),
        tail(code),
      )
  }
  return bytes
}

function tail(code: number): number {
  return 0x80 | (code & 0x3f)
}
