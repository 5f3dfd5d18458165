/** Long results cut when they arrive, on the same requests, prices and cache rule: an estimate that needs no texts. */
import type { ToolResult } from '../../conversation/conversation'
import { type ReplaySide, replayChanges } from '../replay'
import { NO_CHANGES } from '../request-changes'
import type { CostTerms } from '../request-terms'
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

/** The requests with every long result cut in the middle. */
export function truncateResults(
  session: Session,
  terms: CostTerms,
  settings: TruncateSettings = GATEWAY_TRUNCATION,
): ReplaySide {
  const prefixTokens = truncateSession(session, settings)
  return replayChanges({ session, prefixTokens }, terms, NO_CHANGES)
}

/** A line such as `[... 12,345 characters left out ...]`. */
export const MARKER_TOKENS: Tokens = 12

/**
 * Estimates the tokens of a result after cutting: its tokens in proportion to its characters, and the markers. If the
 * result is a list of texts, the characters of each are estimated from its length in the document.
 */
export function truncateResult(
  result: Pick<ToolResult, 'chars' | 'spans' | 'duplicates' | 'shape'>,
  tokens: Tokens,
  { limitChars, headChars, tailChars }: TruncateSettings,
): Tokens {
  if (result.shape === 'other' || result.chars <= limitChars) return tokens
  const texts = result.spans.slice(0, result.spans.length - result.duplicates)
  const lengths = texts.map(({ start, end }) => Math.max(0, end - start - 2))
  const allLengths = lengths.reduce((total, size) => total + size, 0)
  let [sentChars, markers] = [0, 0]
  for (const size of lengths) {
    const chars = (result.chars * size) / allLengths
    const isLong = chars > limitChars
    sentChars += isLong ? headChars + tailChars : chars
    if (isLong) markers++
  }
  if (markers === 0) return tokens
  const sent = Math.round((tokens * Math.min(sentChars, result.chars)) / result.chars)
  return sent + markers * MARKER_TOKENS
}

/**
 * The tokens of a session with every long result cut, as `prefixTokensOf` gives them. Gateways cut a result when it arrives: of each string over a limit, the first and last characters are sent with a marker between
 * them. A string is cut once and then stays the same, so the cached prefix does too.
 */
export function truncateSession(
  { conversation, counts }: Pick<Session, 'conversation' | 'counts'>,
  settings: TruncateSettings,
): readonly Tokens[] {
  const messages = [...counts.messages]
  for (const [index, result] of conversation.results.entries()) {
    const tokens = counts.results[index] as number
    const kept = truncateResult(result, tokens, settings)
    messages[result.message] = (messages[result.message] as number) - tokens + kept
  }
  return prefixTokensOf(messages, counts.perRequest)
}
