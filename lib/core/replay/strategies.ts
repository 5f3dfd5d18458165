/** Ways to keep a session's requests small, side by side, each replayed on the same requests under the same terms. */
import type { MaskFacts } from './mask-facts'
import { type CostTerms, type ReplaySide, replayTotal } from './replay'
import { type MaskWindow, requestStates } from './request-states'
import type { Session } from './requests'
import { playSent } from './strategies-play'
import {
  DEFAULT_SUMMARIES,
  type OwnCalls,
  type SummariseSettings,
  summariseSession,
} from './strategies-summarise'
import { GATEWAY_TRUNCATION, type TruncateSettings, truncateSession } from './strategies-truncate'
import type { Tokens, Usd } from './units'

/**
 * `everything`: nothing is changed. `as_set`: masking with the window of the policy. `recommended`: masking with another
 * window. `truncated`: long strings cut in the middle. `summarised`: old turns told by a summary.
 */
export type StrategyId = 'everything' | 'as_set' | 'recommended' | 'truncated' | 'summarised'

/** What the last request of the session no longer holds. */
export interface StrategyLoss {
  readonly unit: 'results' | 'turns'
  /** Those that are no longer whole, of all that were sent. */
  readonly count: number
  readonly of: number
  /** Of the transcript, not sent. */
  readonly tokens: Tokens
}

export interface Strategy {
  readonly id: StrategyId
  /** The window of a masking strategy; of 0 turns when masking is off. */
  readonly window: MaskWindow | undefined
  /** The session's own requests. */
  readonly side: ReplaySide
  readonly ownCalls: OwnCalls | undefined
  /** Input tokens of the session, its own calls included. */
  readonly tokens: Tokens
  /** Input without a cache and with it, own calls included, the answers of the session left out. */
  readonly plain: Usd | undefined
  readonly cached: Usd | undefined
  readonly loss: StrategyLoss
  readonly complexity: 'low' | 'medium' | 'high'
  /** Whether tokens are estimated rather than counted. */
  readonly isEstimate: boolean
}

export interface StrategySettings {
  readonly truncation: TruncateSettings
  readonly summaries: SummariseSettings
}

export const DEFAULT_STRATEGIES: StrategySettings = {
  truncation: GATEWAY_TRUNCATION,
  summaries: DEFAULT_SUMMARIES,
}

/** All of them. `recommended` is left out where no other window is. */
export function strategies(
  facts: MaskFacts,
  terms: CostTerms,
  windows: { readonly asSet: MaskWindow; readonly recommended: MaskWindow | undefined },
  settings: StrategySettings = DEFAULT_STRATEGIES,
): Strategy[] {
  const { session } = facts
  return [
    sendEverything(facts, terms),
    maskWindow('as_set', facts, terms, windows.asSet),
    ...(windows.recommended ? [maskWindow('recommended', facts, terms, windows.recommended)] : []),
    truncateResults(session, terms, settings.truncation),
    summariseTurns(session, terms, settings.summaries),
  ]
}

export function sendEverything(facts: MaskFacts, terms: CostTerms): Strategy {
  return {
    ...maskWindow('everything', facts, terms, { windowTurns: 0, batchTurns: 1 }),
    window: undefined,
  }
}

/** Masking under a window; what else the policy says is in the facts. */
export function maskWindow(
  id: 'everything' | 'as_set' | 'recommended',
  facts: MaskFacts,
  terms: CostTerms,
  window: MaskWindow,
): Strategy {
  const { counts } = facts.session
  const placeholders = requestStates(facts, window).at(-1)?.placeholders ?? []
  let [count, tokens] = [0, 0]
  for (const [index, placeholder] of placeholders.entries()) {
    if (placeholder === 0) continue
    count++
    tokens += counts.results[index] as number
  }
  return {
    ...withCosts(replayTotal(facts, window, terms), undefined),
    id,
    window,
    loss: { unit: 'results', count, of: placeholders.length, tokens },
    complexity: id === 'recommended' ? 'medium' : 'low',
    isEstimate: false,
  }
}

export function truncateResults(
  session: Session,
  terms: CostTerms,
  settings: TruncateSettings = GATEWAY_TRUNCATION,
): Strategy {
  const { sent, results } = truncateSession(session, settings)
  const end = session.requests.at(-1)?.end ?? 0
  const last = results.filter((_, index) => messageOf(session, index) < end)
  const cut = last.filter(({ droppedTokens }) => droppedTokens > 0)
  return {
    ...withCosts(playSent(session, sent, terms).total, undefined),
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
): Strategy {
  const { sent, calls, summarisedTurns, droppedTokens } = summariseSession(session, settings, terms)
  return {
    ...withCosts(playSent(session, sent, terms).total, calls),
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

function withCosts(side: ReplaySide, ownCalls: OwnCalls | undefined) {
  const plus = (cost: Usd | undefined): Usd | undefined => {
    if (ownCalls === undefined || ownCalls.count === 0) return cost
    return cost === undefined || ownCalls.cost === undefined ? undefined : cost + ownCalls.cost
  }
  return {
    side,
    ownCalls,
    tokens: side.tokens + (ownCalls?.inputTokens ?? 0),
    plain: plus(side.costs.plain),
    cached: plus(side.costs.cached),
  }
}

function messageOf({ conversation }: Session, result: number): number {
  return conversation.results[result]?.message ?? 0
}
