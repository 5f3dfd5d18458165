/**
 * Cuts long tool results in the middle when they arrive, as gateways do: of each string over a limit, the first and last
 * characters are sent with a marker between them. A string is cut once and then stays the same, so the cached prefix does too.
 */
import type { ToolResult } from '../../conversation/conversation'
import { prefixTokensOf, type Session } from '../sessions'
import type { Tokens } from '../units'

/** Limits in characters of each string. */
export interface TruncateSettings {
  readonly limitChars: number
  readonly headChars: number
  readonly tailChars: number
}

export const GATEWAY_TRUNCATION: TruncateSettings = {
  limitChars: 4000,
  headChars: 2000,
  tailChars: 2000,
}

/** A line such as `[... 12,345 characters left out ...]`. */
export const MARKER_TOKENS: Tokens = 12

export interface TruncatedResult {
  /** Tokens that are sent, including markers. */
  readonly tokens: Tokens
  /** Tokens of the result that are not sent. */
  readonly droppedTokens: Tokens
}

/**
 * Estimates the tokens of a result after cutting: its tokens in proportion to its characters, and the markers. If the
 * result is a list of texts, the characters of each are estimated from its length in the document.
 */
export function truncateResult(
  result: Pick<ToolResult, 'chars' | 'slots' | 'duplicates' | 'shape'>,
  tokens: Tokens,
  { limitChars, headChars, tailChars }: TruncateSettings,
): TruncatedResult {
  if (result.shape === 'other' || result.chars <= limitChars) return { tokens, droppedTokens: 0 }
  const texts = result.slots.slice(0, result.slots.length - result.duplicates)
  const lengths = texts.map(({ start, end }) => Math.max(0, end - start - 2))
  const allLengths = lengths.reduce((total, size) => total + size, 0)
  let [sentChars, markers] = [0, 0]
  for (const size of lengths) {
    const chars = (result.chars * size) / allLengths
    const isLong = chars > limitChars
    sentChars += isLong ? headChars + tailChars : chars
    if (isLong) markers++
  }
  if (markers === 0) return { tokens, droppedTokens: 0 }
  const sent = Math.round((tokens * Math.min(sentChars, result.chars)) / result.chars)
  return { tokens: sent + markers * MARKER_TOKENS, droppedTokens: tokens - sent }
}

/** The tokens of a session with every long result cut, as `prefixTokensOf` gives them; `results` is by result. */
export function truncateSession(
  { conversation, counts }: Pick<Session, 'conversation' | 'counts'>,
  settings: TruncateSettings,
): { readonly prefixTokens: readonly Tokens[]; readonly results: readonly TruncatedResult[] } {
  const messages = [...counts.messages]
  const results = conversation.results.map((result, index) => {
    const tokens = counts.results[index] as number
    const truncated = truncateResult(result, tokens, settings)
    messages[result.message] = (messages[result.message] as number) - tokens + truncated.tokens
    return truncated
  })
  return { prefixTokens: prefixTokensOf(messages, counts.perRequest), results }
}
