/**
 * Token counts under OpenAI's public encodings, with the ranks and patterns of gpt-tokenizer. Special marks such as
 * `<|endoftext|>` are counted as plain characters.
 */
import {
  CL100K_TOKEN_SPLIT_REGEX,
  O200K_TOKEN_SPLIT_REGEX,
} from 'gpt-tokenizer/encodingParams/constants'
import { copyText } from '../text/span'
import { countMergedTokens, RankTable, utf8Bytes } from './byte-pair-merge'

export const ENCODING_IDS = ['o200k_base', 'cl100k_base'] as const

export type EncodingId = (typeof ENCODING_IDS)[number]

export interface Encoding {
  readonly id: EncodingId
  /** Tokens of a text; counts of earlier texts are cached. */
  readonly countTokens: (text: string) => number
  /** True if the count of a text is cached. */
  readonly isKnown: (text: string) => boolean
  /** Adds a text counted elsewhere to the cache. */
  readonly learn: (text: string, tokens: number) => void
  /** Forgets the texts that were last counted before the previous call. */
  readonly forgetOld: () => void
}

const CACHED_PIECES = 100_000
/** Limits of the texts cached since the last call of `forgetOld`. */
const CACHED_TEXTS = 300_000
const CACHED_CHARS = 64_000_000
/** Longer pieces are rarely repeated. */
const LONGEST_CACHED_PIECE = 512

/** Loads an encoding. Its tables are about one megabyte and come from this site. */
export async function loadEncoding(id: EncodingId): Promise<Encoding> {
  const countText =
    id === 'o200k_base'
      ? createCounter((await import('./tables/o200k-base')).packed, O200K_TOKEN_SPLIT_REGEX)
      : createCounter((await import('./tables/cl100k-base')).packed, CL100K_TOKEN_SPLIT_REGEX)
  return { id, ...createTextCache(countText) }
}

/** Counts text in the pieces that the pattern finds; tokens never cross them. */
function createCounter(packedTokens: string, piecePattern: RegExp): (text: string) => number {
  const ranks = new RankTable(packedTokens)
  const countPiece = (piece: string): number => {
    const bytes = utf8Bytes(piece)
    return ranks.rankOf(bytes, 0, bytes.length) === -1 ? countMergedTokens(bytes, ranks) : 1
  }
  const countCached = cacheCounts(countPiece)
  const countText = (text: string): number => {
    let total = 0
    try {
      for (const [piece] of text.matchAll(piecePattern))
        total += piece.length > LONGEST_CACHED_PIECE ? countPiece(piece) : countCached(piece)
    } catch (error) {
      /* v8 ignore start -- @preserve Only a run of several million letters, in a test of the large size, gets here. */
      if (!(error instanceof RangeError) || text.length < 2) throw error
      // A run of several million letters exceeds the stack of the pattern. Its halves can have one token more.
      const middle = text.length >> 1
      const isInPair = (text.charCodeAt(middle) & 0xfc00) === 0xdc00 && middle > 1
      const cut = isInPair ? middle - 1 : middle
      return countText(text.slice(0, cut)) + countText(text.slice(cut))
      /* v8 ignore stop */
    }
    return total
  }
  return countText
}

function cacheCounts(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const cached = known.get(text)
    if (cached !== undefined) return cached
    const counted = count(text)
    if (known.size >= CACHED_PIECES) known.clear()
    known.set(copyText(text), counted)
    return counted
  }
}

/**
 * Caches counts in two generations. A text found in the older one moves to the newer one, as the string that was asked
 * for: the cache of a document that was edited holds the strings of the document, not those of the one before.
 */
function createTextCache(count: (text: string) => number): Omit<Encoding, 'id'> {
  let older = new Map<string, number>()
  let newer = new Map<string, number>()
  let chars = 0
  const forgetOld = (): void => {
    older = newer
    newer = new Map()
    chars = 0
  }
  const learn = (text: string, tokens: number): void => {
    if (newer.size >= CACHED_TEXTS || chars > CACHED_CHARS) forgetOld()
    newer.set(text, tokens)
    chars += text.length
  }
  return {
    countTokens: (text) => {
      const known = newer.get(text)
      if (known !== undefined) return known
      const tokens = older.get(text) ?? count(text)
      learn(text, tokens)
      return tokens
    },
    isKnown: (text) => newer.has(text) || older.has(text),
    learn,
    forgetOld,
  }
}
