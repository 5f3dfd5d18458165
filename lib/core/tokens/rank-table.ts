import { utf8Bytes } from './utf8-bytes'

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
