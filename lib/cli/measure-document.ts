import { addUp } from '../core/conversation/add-up'
import type { ReadConversation } from '../core/conversation/conversation'
import { convertToChat } from '../core/convert/to-chat'
import type { PreparedSession, ReadSession } from '../core/fleet/measure-sessions'
import { lastConversationOf, measureSession, prepareSessions } from '../core/fleet/measure-sessions'
import type { ReadDocument } from '../core/formats/read-document'
import type { BeforeAfter, RequestMeasure } from '../core/mask/measure-request'
import { changePercent, measureCounted } from '../core/mask/measure-request'
import type { PolicyOfModel } from '../core/policy/break-even'
import type { MaskPolicy } from '../core/policy/policy'
import { policyOfModel } from '../core/replay/cache-rules'
import type { CalibrationFit } from '../core/replay/calibration/calibrate-session'
import { median } from '../core/replay/calibration/readable-head'
import { chargesOf, sumCharges } from '../core/replay/charged/explain-charges'
import type { BandFigure, CostBand } from '../core/replay/misses/cost-band'
import { BAND_SHARE, bandFigures, costBand, drawCosts } from '../core/replay/misses/cost-band'
import { NO_WINDOW } from '../core/replay/prepare-replay'
import type { Usd } from '../core/replay/prompt-cache'
import { sumSides } from '../core/replay/replay'
import { createSessions } from '../core/replay/sessions'
import { compactJson } from '../core/text/json'
import { countConversation, countsUntil } from '../core/tokens/count-conversation'
import type { Encoding } from '../core/tokens/encoding'
import { findLaterUses } from '../core/uses/find-later-uses'
import { breakEvenRefetches, sessionLimits } from '../core/uses/lost-uses'
import { limitMeasure, limitSums } from './bench-limit'
import type { NamedTerms } from './cost-flags'

/** The figures of a next request: their keys in JSON, the headings of their columns in a table, and their values. */
export const REQUEST_FIGURES = [
  ['conversations', undefined, () => 1],
  ['messages', undefined, ({ messages }) => messages],
  ['turns', 'turns', (_, { turnCount }) => turnCount],
  ['tool_results', 'results', ({ results }) => results],
  ['masked_tool_results', 'masked', ({ maskedResults }) => maskedResults],
  ['tool_chars_before', 'tool chars', ({ resultChars }) => resultChars.before],
  ['tool_chars_after', 'after', ({ resultChars }) => resultChars.after],
  ['request_chars_before', 'request chars', ({ chars }) => chars.before],
  ['request_chars_after', 'after', ({ chars }) => chars.after],
  ['json_bytes_before', undefined, ({ jsonBytes }) => jsonBytes.before],
  ['json_bytes_after', undefined, ({ jsonBytes }) => jsonBytes.after],
  ['tokens_before', 'tokens', ({ tokens }) => tokens.before],
  ['tokens_after', 'after', ({ tokens }) => tokens.after],
] as const satisfies readonly (readonly [
  string,
  string | undefined,
  /** The bytes are those of the request as a body of chat completions, without white space. */
  (
    request: RequestMeasure & { readonly jsonBytes: BeforeAfter },
    conversation: ReadConversation,
  ) => number,
])[]

type RequestFigure = (typeof REQUEST_FIGURES)[number]
type Sums = Readonly<Record<RequestFigure[0], number>>

function sumsOf(figureOf: (figure: RequestFigure) => number): Sums {
  return Object.fromEntries(REQUEST_FIGURES.map((one) => [one[0], figureOf(one)])) as Sums
}

/**
 * The effect of masking on a document, summed over its conversations. Each counts as the next request to be sent.
 * Characters are Unicode code points.
 */
export type DocumentMeasure = Readonly<ReturnType<typeof sumMeasures>>

/** Measures one document under a policy, in the tokens that its sessions are replayed in. */
export function measureDocument(
  { conversations, source }: Pick<ReadDocument, 'conversations' | 'source'>,
  { sessions }: Pick<MeasuredSessions, 'sessions'>,
  policy: PolicyOfModel,
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
    const bytesOf = (placeholders: readonly (string | undefined)[]) =>
      Buffer.byteLength(compactJson(convertToChat(source.text, conversation, placeholders).text))
    const after = bytesOf(request.decisions.map(({ placeholder }) => placeholder))
    const sized = { ...request, jsonBytes: { before: bytesOf([]), after } }
    return sumsOf(([, , of]) => of(sized, conversation))
  }
  return sumMeasures(
    sessions.flatMap((one) =>
      one.session.conversations.map((index) =>
        measureOf(conversations[index] as ReadConversation, one),
      ),
    ),
  )
}

/** The sum of several measures, with the change of the tokens in percent, negative for fewer; null if there were none. */
export function sumMeasures(measures: readonly Sums[]) {
  const sums = sumsOf(([key]) => measures.reduce((sum, one) => sum + one[key], 0))
  const percent = changePercent({ before: sums.tokens_before, after: sums.tokens_after })
  return { ...sums, delta_percent: percent ?? null }
}

export type SessionMeasure = ReturnType<typeof sessionMeasure>

/** The sessions of a document, prepared for replays under its terms. */
export type MeasuredSessions = Readonly<ReturnType<typeof measuredSessions>>

/** Prepares each session of a document for replays, calibrated by its usage if there is any. */
export function measuredSessions(
  conversations: readonly ReadConversation[],
  policy: MaskPolicy,
  { countTokens }: Encoding,
  { model, termsFor }: Pick<NamedTerms, 'model' | 'termsFor'>,
  isCalibrated: boolean,
) {
  const counts = conversations.map((conversation) => countConversation(conversation, countTokens))
  const sessions = createSessions(conversations, counts)
  const read = sessions.map((session): ReadSession => {
    const conversation = conversations[lastConversationOf(session)] as ReadConversation
    const uses = findLaterUses(session, conversation)
    return { session, resultTexts: conversation.resultTexts, uses }
  })
  const calibratedModel = isCalibrated ? model : undefined
  return {
    ...prepareSessions(read, policyOfModel(policy, model), countTokens, calibratedModel),
    terms: termsFor(sessions),
  }
}

/** A replayed session, with what masking loses and what it costs to fetch that again, beside the session. */
function replayOne(
  one: PreparedSession,
  { terms, estimatedSlope }: MeasuredSessions,
  policy: MaskPolicy,
) {
  const window = policy.enabled ? policy : NO_WINDOW
  const measured = measureSession(one, window, terms)
  const { requests, outputTokens, before, after, refetched } = measured
  const { uses: lostUses, results, cached } = refetched
  return {
    sums: {
      losses: { laterUses: one.uses.length, lostUses, results, cached },
      requests: requests.length,
      ...{ outputTokens, before, after },
      limits: limitSums(sessionLimits(one.prepared, one.losable, policy.windowTurns, terms)),
      draws: drawCosts(one.prepared, measured, terms, window),
    },
    charges: chargesOf(one.session, terms),
    fits: [] as readonly CalibrationFit[],
    estimatedSlope,
  }
}

/** The sum of replayed sessions. */
export type ReplayedSessions = ReturnType<typeof replayOne>

/** Replays sessions under the window of a policy and adds them up. */
export function replaySessions(measured: MeasuredSessions, policy: MaskPolicy): ReplayedSessions {
  const { sessions, fits, estimatedSlope } = measured
  const sum = sumReplayed(sessions.map((one) => replayOne(one, measured, policy)))
  return { ...sum, fits, estimatedSlope }
}

const NO_LIMIT = { cost: 0, moves: 0 }
const NOTHING: ReplayedSessions['sums'] = {
  ...{ requests: 0, outputTokens: 0, before: sumSides([]), after: sumSides([]), draws: undefined },
  losses: { laterUses: 0, lostUses: 0, results: 0, cached: 0 },
  limits: { any: NO_LIMIT, withoutLosses: NO_LIMIT },
}

/** The sum over several files. */
export function sumReplayed(parts: readonly ReplayedSessions[]): ReplayedSessions {
  const slopes = new Set(parts.map(({ estimatedSlope }) => estimatedSlope))
  return {
    sums: parts.length === 0 ? NOTHING : addUp(parts.map(({ sums }) => sums)),
    charges: parts.flatMap(({ charges }) => charges),
    fits: parts.flatMap(({ fits }) => fits),
    estimatedSlope: slopes.size === 1 ? [...slopes][0] : undefined,
  }
}

/**
 * The tokens and costs of sessions, with the names under which they are printed. Costs are in dollars and for input; those
 * of output tokens are listed separately; null if a price is unknown. What was charged is that of the requests whose usage
 * is stated.
 */
export function sessionMeasure(replayed: ReplayedSessions) {
  const { charges, fits } = replayed
  const { losses, limits, requests, outputTokens, before, after, draws } = replayed.sums
  const charge = sumCharges(charges)
  const { cached: withCache } = before.costs
  const saved =
    withCache === undefined || after.costs.cached === undefined
      ? undefined
      : withCache - after.costs.cached
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
    session_cost_cached_band: draws === undefined ? null : bandMeasure(costBand(draws)),
    ...limitMeasure(limits),
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
    charged_search_cost: charge.searchCost ?? 0,
    /** What the transcript itself states, for all it states; null if nothing. */
    stated_cost: charge.statedCost ?? null,
    /** Answers with far more tokens than are charged for them. */
    stub_outputs: charge.stubs ?? 0,
    /** What the usage names beside the standard service, with the factor on its prices; null if none is known. */
    services: (charge.services ?? []).map(({ name, price }) => ({
      name,
      factor: price?.factor ?? null,
      source: price?.source ?? null,
      date: price?.date ?? null,
    })),
    calibrated: fits.length > 0,
    calibration: calibrationMeasure(fits),
    /** Tokens of the model for one of ours where no usage is stated: an estimate; null where our counts are used. */
    estimated_slope: replayed.estimatedSlope ?? null,
  }
}

/** The cost with misses: the share of the draws between `low` and `high`, and where misses were observed; null for any provider. */
function bandMeasure(band: CostBand) {
  return {
    share: BAND_SHARE,
    misses_observed_at: band.provider ?? null,
    own_requests: band.own.requests,
    own_misses: band.own.misses,
    ...(Object.fromEntries(bandFigures(band)) as Readonly<Record<BandFigure, number>>),
  }
}

/** The sum of two costs; null if one is unknown. */
export function addCosts(one: Usd | undefined, other: Usd | undefined): Usd | null {
  return one === undefined || other === undefined ? null : one + other
}

/** The calibration of the longest charged session; the requests and the deviation are of all. */
function calibrationMeasure(fits: readonly CalibrationFit[]) {
  const [main] = [...fits].sort((a, b) => b.requestsUsed - a.requestsUsed)
  if (main === undefined) return null
  return {
    head_tokens: main.headTokens,
    /** What a request reads after a change or a loss; null if the first request does not say. */
    readable_head_tokens: main.readableTokens ?? main.warmTokens ?? null,
    slope: main.slope,
    request_tokens: main.requestTokens,
    requests_used: fits.reduce((total, { requestsUsed }) => total + requestsUsed, 0),
    residual_percent: median(fits.map(({ residualPercent }) => residualPercent)),
  }
}
