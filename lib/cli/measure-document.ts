import type { ReadConversation } from '../core/conversation/conversation'
import {
  lastConversationOf,
  measureSession,
  type PreparedSession,
  type PreparedSessions,
  prepareSessions,
  type ReadSession,
} from '../core/fleet/measure-sessions'
import type { ReadDocument } from '../core/formats/read-document'
import { changePercent, measureCounted } from '../core/mask/measure-request'
import type { MaskPolicy } from '../core/policy/policy'
import { type CalibrationFit, median } from '../core/replay/calibration/fit-calibration'
import { type Charge, chargesOf, sumCharges } from '../core/replay/charged/charge'
import { NO_WINDOW } from '../core/replay/masking-plan'
import { type ReplaySide, sumSides } from '../core/replay/replay'
import type { CostTerms } from '../core/replay/request-terms'
import { createSessions } from '../core/replay/sessions'
import type { Usd } from '../core/replay/units'
import { countConversation, countsUntil } from '../core/tokens/count-conversation'
import type { Encoding } from '../core/tokens/encoding'
import { findLaterUses } from '../core/uses/find-later-uses'
import { breakEvenRefetches } from '../core/uses/refetch-costs'
import type { NamedTerms } from './cost-flags'

/**
 * The effect of masking on a document, summed over its conversations. Each counts as the next request to be sent.
 * Characters are Unicode code points.
 */
export interface DocumentMeasure {
  readonly conversations: number
  readonly messages: number
  readonly turns: number
  readonly tool_results: number
  readonly masked_tool_results: number
  readonly tool_chars_before: number
  readonly tool_chars_after: number
  readonly request_chars_before: number
  readonly request_chars_after: number
  readonly tokens_before: number
  readonly tokens_after: number
  /** Change of the tokens in percent, negative for fewer tokens; null if there were none. */
  readonly delta_percent: number | null
}

type Sums = Omit<DocumentMeasure, 'delta_percent'>

const NOTHING: Sums = {
  conversations: 0,
  messages: 0,
  turns: 0,
  tool_results: 0,
  masked_tool_results: 0,
  tool_chars_before: 0,
  tool_chars_after: 0,
  request_chars_before: 0,
  request_chars_after: 0,
  tokens_before: 0,
  tokens_after: 0,
}

/** Measures one document under a policy, in the tokens that its sessions are replayed in. */
export function measureDocument(
  { conversations }: Pick<ReadDocument, 'conversations'>,
  { sessions }: Pick<MeasuredSessions, 'sessions'>,
  policy: MaskPolicy,
  { countTokens }: Encoding,
): DocumentMeasure {
  const measureOf = (conversation: ReadConversation, one: PreparedSession): Sums => {
    const { messages, results, resultTexts } = conversation
    const { counts } = one.session
    const request = measureCounted(
      { conversation, resultTexts, counts: countsUntil(counts, messages.length, results.length) },
      policy,
      countTokens,
      { counts: one.prepared.session.counts, slope: one.slope },
    )
    return {
      conversations: 1,
      messages: request.messages,
      turns: conversation.turnCount,
      tool_results: request.results,
      masked_tool_results: request.maskedResults,
      tool_chars_before: request.resultChars.before,
      tool_chars_after: request.resultChars.after,
      request_chars_before: request.chars.before,
      request_chars_after: request.chars.after,
      tokens_before: request.tokens.before,
      tokens_after: request.tokens.after,
    }
  }
  return sumMeasures(
    sessions.flatMap((one) =>
      one.session.conversations.map((index) =>
        measureOf(conversations[index] as ReadConversation, one),
      ),
    ),
  )
}

/** The sum of several measures, with the change of the total. */
export function sumMeasures(measures: readonly Sums[]): DocumentMeasure {
  const sums = { ...NOTHING }
  for (const measure of measures) {
    for (const key of Object.keys(NOTHING) as (keyof Sums)[]) sums[key] += measure[key]
  }
  const percent = changePercent({ before: sums.tokens_before, after: sums.tokens_after })
  return { ...sums, delta_percent: percent ?? null }
}

/**
 * The tokens and costs of the sessions of a document. Costs are in dollars and for input; those of output tokens are
 * listed separately; null if a price is unknown. What was charged is that of the requests whose usage is stated.
 */
export interface SessionMeasure {
  readonly requests: number
  readonly session_tokens_before: number
  readonly session_tokens_after: number
  readonly session_cost_before: number | null
  readonly session_cost_after: number | null
  readonly session_cost_cached_before: number | null
  readonly session_cost_cached_after: number | null
  readonly later_uses: number
  readonly lost_uses: number
  readonly results_lost: number
  readonly session_cost_cached_after_refetch: number | null
  readonly break_even_refetches: number | null
  readonly session_output_tokens: number
  readonly session_output_cost_before: number | null
  readonly session_output_cost_after: number | null
  readonly charged_requests: number
  readonly charged_input_tokens: number | null
  readonly charged_cache_read_tokens: number | null
  readonly charged_cache_write_tokens: number | null
  readonly charged_output_tokens: number | null
  readonly charged_cost: number | null
  readonly charged_output_cost: number | null
  readonly calibrated: boolean
  readonly calibration: CalibrationMeasure | null
  /** Tokens of the model for one of ours where no usage is stated: an estimate; null where our counts are used. */
  readonly estimated_slope: number | null
}

/** The calibration of a document's longest charged session; the requests and the deviation are of all. */
interface CalibrationMeasure {
  readonly head_tokens: number
  readonly slope: number
  readonly request_tokens: number
  readonly requests_used: number
  readonly residual_percent: number
}

/** The sessions of a document, prepared for replays under its terms. */
export interface MeasuredSessions extends PreparedSessions {
  readonly terms: CostTerms
}

/** What masking loses, and what it costs to fetch it again: input, beside that of the session. */
interface Losses {
  readonly laterUses: number
  readonly lostUses: number
  readonly results: number
  readonly cached: Usd | undefined
}

/** The sum of replayed sessions. */
export interface ReplayedSessions {
  readonly losses: Losses
  readonly requests: number
  readonly outputTokens: number
  readonly before: ReplaySide
  readonly after: ReplaySide
  readonly charge: Charge
  readonly fits: readonly CalibrationFit[]
  readonly estimatedSlope: number | undefined
}

/** Prepares each session of a document for replays, calibrated by its usage if there is any. */
export function measuredSessions(
  conversations: readonly ReadConversation[],
  policy: MaskPolicy,
  { countTokens }: Encoding,
  { model, termsFor }: Pick<NamedTerms, 'model' | 'termsFor'>,
  isCalibrated: boolean,
): MeasuredSessions {
  const counts = conversations.map((conversation) => countConversation(conversation, countTokens))
  const sessions = createSessions(conversations, counts)
  const read = sessions.map((session): ReadSession => {
    const conversation = conversations[lastConversationOf(session)] as ReadConversation
    const uses = findLaterUses(session, conversation)
    return { session, resultTexts: conversation.resultTexts, uses }
  })
  const calibratedModel = isCalibrated ? model : undefined
  return {
    ...prepareSessions(read, policy, countTokens, calibratedModel),
    terms: termsFor(sessions),
  }
}

/** Replays sessions under the window of a policy and adds them up. */
export function replaySessions(
  { sessions, terms, fits, estimatedSlope }: MeasuredSessions,
  policy: MaskPolicy,
): ReplayedSessions {
  const window = policy.enabled ? policy : NO_WINDOW
  const replays = sessions.map((session) => measureSession(session, window, terms))
  return {
    losses: sumLosses(
      replays.map(({ lostUses, refetched }, index) => ({
        laterUses: sessions[index]?.uses.length ?? 0,
        lostUses,
        ...refetched,
      })),
    ),
    requests: replays.reduce((total, { requests }) => total + requests.length, 0),
    outputTokens: replays.reduce((total, { outputTokens }) => total + outputTokens, 0),
    before: sumSides(replays.map(({ before }) => before)),
    after: sumSides(replays.map(({ after }) => after)),
    charge: sumCharges(sessions.flatMap(({ session }) => chargesOf(session, terms))),
    fits,
    estimatedSlope,
  }
}

function sumLosses(parts: readonly Losses[]): Losses {
  const sum = (of: (one: Losses) => number) => parts.reduce((total, one) => total + of(one), 0)
  const isKnown = parts.every(({ cached }) => cached !== undefined)
  return {
    laterUses: sum(({ laterUses }) => laterUses),
    lostUses: sum(({ lostUses }) => lostUses),
    results: sum(({ results }) => results),
    cached: isKnown ? sum(({ cached }) => cached ?? 0) : undefined,
  }
}

/** The sum over several files. */
export function sumReplayed(parts: readonly ReplayedSessions[]): ReplayedSessions {
  const slopes = new Set(parts.map(({ estimatedSlope }) => estimatedSlope))
  return {
    losses: sumLosses(parts.map(({ losses }) => losses)),
    requests: parts.reduce((total, { requests }) => total + requests, 0),
    outputTokens: parts.reduce((total, { outputTokens }) => total + outputTokens, 0),
    before: sumSides(parts.map(({ before }) => before)),
    after: sumSides(parts.map(({ after }) => after)),
    charge: sumCharges(parts.map(({ charge }) => charge)),
    fits: parts.flatMap(({ fits }) => fits),
    estimatedSlope: slopes.size === 1 ? [...slopes][0] : undefined,
  }
}

/** The figures with the names under which they are printed. */
export function sessionMeasure(replayed: ReplayedSessions): SessionMeasure {
  const { losses, requests, outputTokens, before, after, charge, fits } = replayed
  const saved = difference(before.costs.cached, after.costs.cached)
  // Without usage nothing was charged; a number that the usage does not state is unknown.
  const charged = (tokens: number | undefined) => tokens ?? (charge.requests === 0 ? 0 : null)
  return {
    requests,
    session_tokens_before: before.tokens,
    session_tokens_after: after.tokens,
    session_cost_before: before.costs.plain ?? null,
    session_cost_after: after.costs.plain ?? null,
    session_cost_cached_before: before.costs.cached ?? null,
    session_cost_cached_after: after.costs.cached ?? null,
    later_uses: losses.laterUses,
    lost_uses: losses.lostUses,
    results_lost: losses.results,
    session_cost_cached_after_refetch: addCosts(after.costs.cached, losses.cached),
    break_even_refetches: breakEvenRefetches(saved, losses) ?? null,
    session_output_tokens: outputTokens,
    session_output_cost_before: before.costs.output ?? null,
    session_output_cost_after: after.costs.output ?? null,
    charged_requests: charge.requests,
    charged_input_tokens: charged(charge.inputTokens),
    charged_cache_read_tokens: charged(charge.readTokens),
    charged_cache_write_tokens: charged(charge.writtenTokens),
    charged_output_tokens: charged(charge.outputTokens),
    charged_cost: charge.inputCost ?? null,
    charged_output_cost: charge.outputCost ?? null,
    calibrated: fits.length > 0,
    calibration: calibrationMeasure(fits),
    estimated_slope: replayed.estimatedSlope ?? null,
  }
}

function difference(one: Usd | undefined, other: Usd | undefined): Usd | undefined {
  return one === undefined || other === undefined ? undefined : one - other
}

/** The sum of two costs; null if one is unknown. */
export function addCosts(one: Usd | undefined, other: Usd | undefined): Usd | null {
  return one === undefined || other === undefined ? null : one + other
}

function calibrationMeasure(fits: readonly CalibrationFit[]): CalibrationMeasure | null {
  const [main] = [...fits].sort((a, b) => b.requestsUsed - a.requestsUsed)
  if (main === undefined) return null
  return {
    head_tokens: main.headTokens,
    slope: main.slope,
    request_tokens: main.requestTokens,
    requests_used: fits.reduce((total, { requestsUsed }) => total + requestsUsed, 0),
    residual_percent: median(fits.map(({ residualPercent }) => residualPercent)),
  }
}
