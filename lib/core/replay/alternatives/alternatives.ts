/** Compares ways to shorten the requests of a session. All are replayed on the same requests, prices and cache rule. */
import type { ToolResult } from '../../conversation/conversation'
import { maskedAtLast } from '../kept-turns'
import { type MaskWindow, NO_WINDOW, type PreparedReplay, sentResults } from '../prepare-replay'
import { type ReplaySide, replayChanges, replayTotal } from '../replay'
import { NO_CHANGES } from '../request-changes'
import type { CostTerms } from '../request-terms'
import { prefixTokensOf, type Session } from '../sessions'
import type { Tokens, Usd } from '../units'
import {
  DEFAULT_SUMMARIES,
  type ExtraCalls,
  type SummariseSettings,
  summariseSession,
} from './summarise-session'

/**
 * `everything`: send all messages unchanged. `as_cleared`: as the client sent it, which cleared results itself. `as_set`:
 * mask with the window of the policy. `recommended`: mask with the recommended window. `truncated`: cut long strings in the middle. `summarised`: replace old turns with a summary.
 */
export type AlternativeId =
  | 'everything'
  | 'as_cleared'
  | 'as_set'
  | 'recommended'
  | 'truncated'
  | 'summarised'

/** Content that the last request of the session no longer contains in full. */
export interface UnsentContent {
  readonly unit: 'results' | 'turns'
  /** How many results or turns are incomplete, and how many there are. */
  readonly count: number
  readonly of: number
  /** Tokens of the transcript that are not sent. */
  readonly tokens: Tokens
}

export interface Alternative {
  readonly id: AlternativeId
  /** The window of an alternative that masks; 0 turns if masking is off. */
  readonly window: MaskWindow | undefined
  /** The requests of the session, without extra calls. */
  readonly side: ReplaySide
  readonly extraCalls: ExtraCalls | undefined
  /** Input tokens of the session and of extra calls. */
  readonly tokens: Tokens
  /** Cost of input and extra calls without caching and with it; answers of the session are not included. */
  readonly plain: Usd | undefined
  readonly cached: Usd | undefined
  readonly loss: UnsentContent
  readonly complexity: 'low' | 'medium' | 'high'
  /** True if tokens are estimated rather than counted. */
  readonly isEstimate: boolean
}

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

export interface AlternativeSettings {
  readonly truncation: TruncateSettings
  readonly summaries: SummariseSettings
}

export const DEFAULT_ALTERNATIVES: AlternativeSettings = {
  truncation: GATEWAY_TRUNCATION,
  summaries: DEFAULT_SUMMARIES,
}

export function sendEverything(prepared: PreparedReplay, terms: CostTerms): Alternative {
  const { session, prefixTokens } = prepared
  return {
    ...maskUnderWindow('everything', prepared, terms, NO_WINDOW),
    ...withCosts(replayChanges({ session, prefixTokens }, terms, NO_CHANGES), undefined),
    window: undefined,
  }
}

/** Empty if the client cleared nothing. */
export function sendAsCleared(prepared: PreparedReplay, terms: CostTerms): Alternative[] {
  const { clearings } = prepared
  if (clearings.length === 0) return []
  const sent = maskUnderWindow('as_cleared', prepared, terms, NO_WINDOW)
  const tokens = clearings.reduce((total, { savedTokens }) => total + savedTokens, 0)
  return [{ ...sent, window: undefined, loss: { ...sent.loss, count: clearings.length, tokens } }]
}

/** Masking under a window; the other settings of the policy are in `prepared`. */
export function maskUnderWindow(
  id: 'everything' | 'as_cleared' | 'as_set' | 'recommended',
  prepared: PreparedReplay,
  terms: CostTerms,
  window: MaskWindow,
): Alternative {
  const { results } = prepared.session.counts
  const unsent = maskedAtLast(prepared, window).map((result) => results[result] as Tokens)
  return {
    ...withCosts(replayTotal(prepared, window, terms), undefined),
    id,
    window,
    loss: {
      unit: 'results',
      count: unsent.length,
      of: sentResults(prepared),
      tokens: unsent.reduce((total, tokens) => total + tokens, 0),
    },
    complexity: id === 'recommended' ? 'medium' : 'low',
    isEstimate: false,
  }
}

export function truncateResults(
  session: Session,
  terms: CostTerms,
  settings: TruncateSettings = GATEWAY_TRUNCATION,
): Alternative {
  const { prefixTokens, results } = truncateSession(session, settings)
  const end = session.requests.at(-1)?.end ?? 0
  const last = results.filter((_, index) => messageOf(session, index) < end)
  const cut = last.filter(({ droppedTokens }) => droppedTokens > 0)
  return {
    ...withCosts(replayChanges({ session, prefixTokens }, terms, NO_CHANGES), undefined),
    id: 'truncated',
    window: undefined,
    loss: {
      unit: 'results',
      count: cut.length,
      of: last.length,
      tokens: cut.reduce((total, { droppedTokens }) => total + droppedTokens, 0),
    },
    complexity: 'low',
    isEstimate: cut.length > 0,
  }
}

export function summariseTurns(
  session: Session,
  terms: CostTerms,
  settings: SummariseSettings = DEFAULT_SUMMARIES,
): Alternative {
  const { changes, calls, summarisedTurns, droppedTokens } = summariseSession(
    session,
    settings,
    terms,
  )
  const { messages, perRequest } = session.counts
  const prefixTokens = prefixTokensOf(messages, perRequest)
  return {
    ...withCosts(replayChanges({ session, prefixTokens }, terms, changes), calls),
    id: 'summarised',
    window: undefined,
    loss: {
      unit: 'turns',
      count: summarisedTurns,
      of: session.requests.at(-1)?.turnCount ?? 0,
      tokens: droppedTokens,
    },
    complexity: 'high',
    isEstimate: true,
  }
}

function withCosts(side: ReplaySide, extraCalls: ExtraCalls | undefined) {
  const plus = (cost: Usd | undefined): Usd | undefined => {
    if (extraCalls === undefined || extraCalls.count === 0) return cost
    return cost === undefined || extraCalls.cost === undefined ? undefined : cost + extraCalls.cost
  }
  return {
    side,
    extraCalls,
    tokens: side.tokens + (extraCalls?.inputTokens ?? 0),
    plain: plus(side.costs.plain),
    cached: plus(side.costs.cached),
  }
}

function messageOf({ conversation }: Session, result: number): number {
  return (conversation.results[result] as ToolResult).message
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
  result: Pick<ToolResult, 'chars' | 'spans' | 'duplicates' | 'shape'>,
  tokens: Tokens,
  { limitChars, headChars, tailChars }: TruncateSettings,
): TruncatedResult {
  if (result.shape === 'other' || result.chars <= limitChars) return { tokens, droppedTokens: 0 }
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
  if (markers === 0) return { tokens, droppedTokens: 0 }
  const sent = Math.round((tokens * Math.min(sentChars, result.chars)) / result.chars)
  return { tokens: sent + markers * MARKER_TOKENS, droppedTokens: tokens - sent }
}

/**
 * The tokens of a session with every long result cut, as `prefixTokensOf` gives them; `results` is by result. Gateways cut
 * a result when it arrives: of each string over a limit, the first and last characters are sent with a marker between
 * them. A string is cut once and then stays the same, so the cached prefix does too.
 */
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
