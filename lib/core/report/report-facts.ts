/** Everything a report says, as numbers and states; what it is written from. No text of the transcript is in it. */
import type { Conversation } from '../conversation/conversation'
import type { BeforeAfter } from '../mask/measure-request'
import type { Decision } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import type { PriceSheet } from '../replay/price-sheet'
import type { CacheRule } from '../replay/prompt-cache'
import type { BreakEven, Recommendation } from '../replay/recommend'
import type { Replay } from '../replay/replay'
import type { RequestOrigin } from '../replay/requests'
import type { Strategy, StrategySettings } from '../replay/strategies'
import type { Tokens } from '../replay/units'
import type { ConversationCounts } from '../tokens/count-conversation'

export interface ReportFacts {
  /** Day it is made, such as `2026-11-27`. */
  readonly day: string
  readonly measured: {
    readonly format: string
    readonly messages: number
    readonly turns: number
    readonly results: number
    readonly origin: RequestOrigin
    readonly nonTextParts: number
  }
  /** Only where the user asks for names: the file's, and counts by tool. */
  readonly names: { readonly file: string; readonly tools: readonly ToolCount[] } | undefined
  readonly policy: MaskPolicy
  readonly model: {
    readonly name: string
    readonly provider: string | undefined
    readonly contextTokens: Tokens | undefined
  }
  readonly counting: { readonly encoding: string; readonly isExact: boolean }
  readonly prices: PriceSheet
  /** Undefined where no price is from it. */
  readonly priceList:
    | { readonly source: string; readonly version: string; readonly date: string }
    | undefined
  /** The provider's own list. */
  readonly pricingUrl: string | undefined
  readonly changesByHour: boolean
  readonly cache: {
    readonly label: string
    readonly rule: CacheRule
    /** Where the rule was read and when; empty for none. */
    readonly source: string
    readonly date: string
    readonly origin: 'documented' | 'user' | 'unknown'
  }
  /** Tokens of the request that would be sent next: the whole conversation as it stands. */
  readonly nextRequest: BeforeAfter
  readonly replayed: Replay
  /** Requests in which masking changes what the request before them had sent. */
  readonly prefixBreaks: number
  readonly strategies: readonly Strategy[]
  readonly strategySettings: StrategySettings
  readonly recommendation: Recommendation
  /** Windows of fewer turns were not considered for it. */
  readonly smallestWindow: number
  readonly breakEven: Readonly<Record<'plain' | 'cached', BreakEven>>
}

/** What masking does to the money of a session. */
export type Verdict = 'off' | 'saves' | 'costs' | 'same' | 'price_unknown'

/** By the whole session's input with caching, where the model caches; else without. */
export function verdictOf({ policy, replayed }: Pick<ReportFacts, 'policy' | 'replayed'>): Verdict {
  const [before, after] = [replayed.before.costs.cached, replayed.after.costs.cached]
  if (!policy.enabled || policy.windowTurns <= 0) return 'off'
  if (before === undefined || after === undefined) return 'price_unknown'
  if (before === after) return 'same'
  return after < before ? 'saves' : 'costs'
}

/** Results of one tool in the request that would be sent next. */
export interface ToolCount {
  /** Undefined for results whose call has no name, or that answer none. */
  readonly name: string | undefined
  readonly results: number
  readonly maskedResults: number
  readonly tokens: Tokens
}

/** Results by tool, those with the most tokens first. */
export function toolCounts(
  { results }: Pick<Conversation, 'results'>,
  counts: ConversationCounts,
  decisions: readonly Decision[],
): ToolCount[] {
  const byName = new Map<string | undefined, ToolCount>()
  for (const [index, { toolName: name }] of results.entries()) {
    const known = byName.get(name) ?? { name, results: 0, maskedResults: 0, tokens: 0 }
    byName.set(name, {
      name,
      results: known.results + 1,
      maskedResults: known.maskedResults + (decisions[index]?.action === 'mask' ? 1 : 0),
      tokens: known.tokens + (counts.results[index] ?? 0),
    })
  }
  return [...byName.values()].sort((a, b) => b.tokens - a.tokens)
}
