/** The contents of a report, as numbers and states. They contain no text of the transcript. */
import { groupBy } from '../conversation/add-to-group'
import { type Conversation, shownTool } from '../conversation/conversation'
import type { BeforeAfter } from '../mask/measure-request'
import type { ShownFigures } from '../mechanisms/measure-mechanism'
import type { Decision } from '../policy/decide'
import { isMaskingOff, type MaskPolicy } from '../policy/policy'
import type { Calibration, CalibrationFit } from '../replay/calibration/calibrate-session'
import type { Charge, ExplainedRequest } from '../replay/charged/explain-charges'
import type { CostBand } from '../replay/misses/cost-band'
import type { PriceSheet } from '../replay/price-sheet'
import type { CacheRule, Tokens, Usd } from '../replay/prompt-cache'
import type { AdviceSettings, BreakEven, Recommendation } from '../replay/recommend'
import type { Replay, ReplaySide } from '../replay/replay'
import type { RequestOrigin } from '../replay/sessions'
import type { ConversationCounts } from '../tokens/count-conversation'

export interface ReportFacts {
  /** The day of the report, such as `2026-11-27`. */
  readonly day: string
  readonly measured: {
    readonly format: string
    readonly messages: number
    readonly turns: number
    readonly results: number
    readonly origin: RequestOrigin
    readonly nonTextParts: number
  }
  /** The file name and counts by tool; only if the user asks for names. */
  readonly names: { readonly file: string; readonly tools: readonly ToolCount[] } | undefined
  readonly policy: MaskPolicy
  /** The mechanism in place of the policy: its English name, and its settings without names unless the user asks for them. */
  readonly tried?: TriedFacts | undefined
  /** Names and texts that the policy has and the report leaves out. */
  readonly unnamed: Readonly<Record<'excludeTools' | 'errorPatterns', number>>
  readonly model: {
    readonly name: string
    readonly provider: string | undefined
    readonly contextTokens: Tokens | undefined
  }
  readonly counting: { readonly encoding: string; readonly isExact: boolean }
  readonly prices: PriceSheet
  /** Undefined if no price is from the list. */
  readonly priceList: { readonly source: string; readonly date: string } | undefined
  /** The price list of the provider. */
  readonly pricingUrl: string | undefined
  readonly changesByHour: boolean
  readonly cache: {
    readonly label: string
    readonly rule: CacheRule
    /** Source of the rule; empty if there is none. */
    readonly source: string
    readonly date: string
    readonly origin: 'documented' | 'user' | 'unknown'
  }
  /** True if cache entries expire by the times of the transcript. */
  readonly hasExpiry: boolean
  readonly charged: ChargedFacts | undefined
  readonly calibration: CalibrationFacts | undefined
  /** Tokens of the next request, which sends all messages. */
  readonly nextRequest: BeforeAfter
  readonly replayed: Replay
  /** Requests in which masking changes messages that the previous request sent. */
  readonly prefixBreaks: number
  /** Undefined until they are compared. */
  readonly mechanisms?: readonly ReportedMechanism[] | undefined
  readonly recommendation: Recommendation
  /** How the setting was recommended. */
  readonly advice: AdviceSettings
  readonly breakEven: Readonly<Record<'plain' | 'cached', BreakEven>>
  /** What the policy loses; undefined if the later uses are unknown. */
  readonly losses?: LossFacts | undefined
  /** Places of the history that a provider can reject, and those that masking adds (`docs/integrity.md`). */
  readonly history?: Readonly<Record<'found' | 'added', number>>
  /** The cost with the misses observed; undefined if it is unknown. */
  readonly band?: CostBand | undefined
  /** The least that the session can cost with the window, and without losing a later use; undefined until it is known. */
  readonly limits?: Readonly<Record<'any' | 'withoutLosses', Usd | undefined>> | undefined
}

/** What a written report needs: the facts without the details of single requests. */
export interface WrittenFacts extends Omit<ReportFacts, 'replayed' | 'charged' | 'losses'> {
  readonly replayed: ReplayFigures
  readonly charged: ChargedFigures | undefined
  readonly losses?: Omit<LossFacts, 'usesByRequest' | 'lostByRequest'> | undefined
}

/** A replay with the figures of each request that the charts draw. */
export interface ReplayFigures extends Omit<Replay, 'requests'> {
  readonly requests: readonly Readonly<
    Record<'before' | 'after', Pick<ReplaySide, 'tokens' | 'costs'>>
  >[]
}

export interface ChargedFigures
  extends Pick<ChargedFacts, 'charge' | 'fileCost' | 'conversations' | 'replayedCost'> {
  readonly explained: readonly (Pick<ExplainedRequest, 'parts'> & {
    readonly plain: Pick<ReplaySide, 'costs'>
  })[]
}

export interface TriedFacts {
  readonly label: string
  readonly settings: readonly (readonly [key: string, value: string])[]
}

/** A mechanism at its cheapest settings, which are written as the command line takes them. */
export interface ReportedMechanism extends Pick<ShownFigures, 'tokens' | 'cost' | 'forgotten'> {
  readonly id: string
  readonly settings: string
  /** The session without it; the replay unless given, which has what the client itself cleared. */
  readonly before?: Pick<ShownFigures, 'tokens' | 'cost'> | undefined
  /** The cheapest that keeps enough later uses; `own` is what the client of the session can do as it is, or both. */
  readonly advised?: 'best' | 'own' | 'both' | undefined
}

/** Later uses of results (`docs/later-uses.md`), as numbers. */
export interface LossFacts {
  readonly laterUses: number
  readonly lostUses: number
  readonly lostResults: number
  /** Input with caching if everything lost is fetched again. */
  readonly worstCost: Usd | undefined
  /** Results that can be fetched again before masking costs more than it saves. */
  readonly breakEven: number | undefined
  /** Turns within which this share of the uses come. */
  readonly mostTurns: number
  readonly mostShare: number
  /** By request: later uses in its answer, and those that are lost. */
  readonly usesByRequest: readonly number[]
  readonly lostByRequest: readonly number[]
}

/** What the provider charged, where the transcript states its usage. */
export interface ChargedFacts {
  readonly charge: Charge
  /** The input cost of all sessions of the file; undefined if this is the only one. */
  readonly fileCost: Usd | undefined
  /** Number of conversations of the file; 0 if unknown. */
  readonly conversations: number
  /** What our replay of the charged session costs; given where its client cleared results, which mechanisms are compared without. */
  readonly replayedCost?: Usd | undefined
  /** By request; undefined for one without usage. */
  readonly byRequest: readonly (Charge | undefined)[]
  /** The charged requests with the parts of their difference to a plain replay; empty if a price is unknown. */
  readonly explained: readonly ExplainedRequest[]
}

/** How our counts are fitted to those of the provider. */
export interface CalibrationFacts {
  /** Undefined if the user switched it off. */
  readonly inUse: Calibration | undefined
  /** Undefined if the transcript states no usage. */
  readonly fit: CalibrationFit | undefined
  /** The source of an estimated slope that is in use. */
  readonly estimateSource: string | undefined
  readonly isSetByUser: boolean
}

/** A policy; without names, it lacks the names and texts that can be from a transcript: `unnamed` counts them. */
export function writtenPolicy(
  policy: MaskPolicy,
  hasNames: boolean,
): Pick<ReportFacts, 'policy' | 'unnamed'> {
  if (hasNames) return { policy, unnamed: { excludeTools: 0, errorPatterns: 0 } }
  const { excludeTools, errorPatterns } = policy
  return {
    policy: { ...policy, excludeTools: [], errorPatterns: [] },
    unnamed: { excludeTools: excludeTools.length, errorPatterns: errorPatterns.length },
  }
}

/** Compares the input cost of the session before and after masking, with caching if the model caches. */
export function verdictOf(
  facts: Parameters<typeof isMasking>[0] & { readonly replayed: Pick<Replay, 'before' | 'after'> },
): 'off' | 'saves' | 'costs' | 'same' | 'price_unknown' {
  const { before: unmasked, after: masked } = facts.replayed
  const [before, after] = [unmasked.costs.cached, masked.costs.cached]
  if (!isMasking(facts)) return 'off'
  if (before === undefined || after === undefined) return 'price_unknown'
  if (before === after) return 'same'
  return after < before ? 'saves' : 'costs'
}

/** False if masking is off and nothing is tried in its place. */
export function isMasking(facts: { readonly policy: MaskPolicy; readonly tried?: unknown }) {
  return facts.tried !== undefined || !isMaskingOff(facts.policy)
}

/** Results of one tool in the next request. */
export type ToolCount = Readonly<ReturnType<typeof toolCounts>[number]>

/** Results by tool, the one with the most tokens first. */
export function toolCounts(
  { results }: Pick<Conversation, 'results'>,
  counts: ConversationCounts,
  decisions: readonly Decision[],
) {
  const byName = groupBy([...results.keys()], (index) => shownTool(results[index]))
  return [...byName]
    .map(([name, own]) => ({
      /** Undefined for results without a call, or whose call has no name. */
      name,
      results: own.length,
      maskedResults: own.filter((index) => decisions[index]?.action === 'mask').length,
      tokens: own.reduce((sum, index): Tokens => sum + (counts.results[index] as number), 0),
    }))
    .sort((a, b) => b.tokens - a.tokens)
}
