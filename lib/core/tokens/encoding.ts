/**
 * Token counts of a text under OpenAI's public encodings, by gpt-tokenizer, loaded when first asked for.
 * Text is data: `<|endoftext|>` in it is counted as the characters it is.
 */
import type { Span } from '../text/span'

export const ENCODING_IDS = ['o200k_base', 'cl100k_base'] as const

export type EncodingId = (typeof ENCODING_IDS)[number]

export interface Encoding {
  readonly id: EncodingId
  /** Tokens of a text; remembers texts it has counted. */
  readonly countTokens: (text: string) => number
}

/**
 * The merge step is quadratic in an unbroken run of letters, spaces or signs (100,000 spaces take 11 s),
 * so longer runs are counted in pieces of so many UTF-16 units: at most one token too many for each cut.
 */
const LONGEST_RUN = 512

/** Every edit of a placeholder adds a text for each result; memory stays bounded. */
const REMEMBERED_TEXTS = 100_000

const AS_PLAIN_TEXT = { disallowedSpecial: new Set<string>() }
const RUN = /[\p{L}\p{M}]+|\s+|\p{N}+|[^\s\p{L}\p{M}\p{N}]+/gu

/** Loads an encoding; its tables are about one megabyte and are fetched from this site only. */
export async function loadEncoding(id: EncodingId): Promise<Encoding> {
  const { countTokens } =
    id === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base')
  const known = new Map<string, number>()
  return {
    id,
    countTokens: (text) => {
      const remembered = known.get(text)
      if (remembered !== undefined) return remembered
      let tokens = 0
      let start = 0
      for (const cut of cutsInLongRuns(text)) {
        tokens += countTokens(text.slice(start, cut), AS_PLAIN_TEXT)
        start = cut
      }
      tokens += countTokens(text.slice(start), AS_PLAIN_TEXT)
      if (known.size >= REMEMBERED_TEXTS) known.clear()
      known.set(text, tokens)
      return tokens
    },
  }
}

/** Runs of one class of characters longer than the counter takes whole. */
export function longRuns(text: string): Span[] {
  if (text.length <= LONGEST_RUN) return []
  const runs: Span[] = []
  for (const match of text.matchAll(RUN)) {
    if (match[0].length > LONGEST_RUN)
      runs.push({ start: match.index, end: match.index + match[0].length })
  }
  return runs
}

function cutsInLongRuns(text: string): number[] {
  const cuts: number[] = []
  for (const { start, end } of longRuns(text)) {
    let cut = start
    while (cut < end) {
      cuts.push(cut)
      cut += LONGEST_RUN
      // Never between the halves of a surrogate pair.
      if ((text.charCodeAt(cut) & 0xfc00) === 0xdc00) cut++
    }
  }
  return cuts
}
