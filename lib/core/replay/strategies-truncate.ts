/**
 * Cutting long tool results in the middle when they arrive, as gateways do: each string over a limit keeps its beginning
 * and its end, with a marker between. A string is cut once and never changes again, so the cached prefix stays.
 */
import type { ToolResult } from '../conversation/conversation'
import type { Session } from './requests'
import { prefixTokensOf, type SentRequests } from './strategies-play'
import type { Tokens } from './units'

/** In characters of each string. */
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
  /** Tokens sent in its place, markers included. */
  readonly tokens: Tokens
  /** Its own tokens that are no longer sent. */
  readonly droppedTokens: Tokens
}

/**
 * A result after cutting, estimated: its tokens in proportion to its characters, and the marker. Where it is a list of
 * texts, how many characters each has is judged by the room it takes in the document.
 */
export function truncateResult(
  result: Pick<ToolResult, 'chars' | 'slots' | 'twins' | 'shape'>,
  tokens: Tokens,
  { limitChars, headChars, tailChars }: TruncateSettings,
): TruncatedResult {
  if (result.shape === 'other' || result.chars <= limitChars) return { tokens, droppedTokens: 0 }
  const own = result.slots.slice(0, result.slots.length - result.twins)
  const room = own.map(({ start, end }) => Math.max(0, end - start - 2))
  const allRoom = room.reduce((total, size) => total + size, 0)
  let [keptChars, markers] = [0, 0]
  for (const size of room) {
    const chars = (result.chars * size) / allRoom
    const isLong = chars > limitChars
    keptChars += isLong ? headChars + tailChars : chars
    if (isLong) markers++
  }
  if (markers === 0) return { tokens, droppedTokens: 0 }
  const kept = Math.round((tokens * Math.min(keptChars, result.chars)) / result.chars)
  return { tokens: kept + markers * MARKER_TOKENS, droppedTokens: tokens - kept }
}

/** The requests of a session with every long result cut; `results` by result. */
export function truncateSession(
  { conversation, counts, requests }: Session,
  settings: TruncateSettings,
): { readonly sent: SentRequests; readonly results: readonly TruncatedResult[] } {
  const messages = [...counts.messages]
  const results = conversation.results.map((result, index) => {
    const tokens = counts.results[index] as number
    const truncated = truncateResult(result, tokens, settings)
    messages[result.message] = (messages[result.message] as number) - tokens + truncated.tokens
    return truncated
  })
  const prefix = prefixTokensOf(messages, counts.perRequest)
  return {
    results,
    sent: {
      tokens: requests.map(({ end }) => prefix[end] as number),
      sharedMessages: (earlier) => requests[earlier]?.end as number,
      tokensUpTo: (_, message) => prefix[message] as number,
    },
  }
}
