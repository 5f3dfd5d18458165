import type { ConversationCounts } from '../../tokens/count-conversation'
import { headMessages, prefixTokensOf, type Session } from '../sessions'
import type { Tokens } from '../units'
import {
  type Calibration,
  type CalibrationFit,
  type ChargedRequest,
  fitCalibration,
  fitHead,
} from './fit-calibration'

/** The requests of a session whose charged input is known. */
export function chargedRequestsOf({ counts, requests }: Session): ChargedRequest[] {
  const prefix = prefixTokensOf(counts.messages, counts.perRequest)
  return requests.flatMap(({ end, usage }, index) =>
    usage?.inputTokens === undefined || usage.inputTokens === 0
      ? []
      : [{ index, counted: prefix[end] as Tokens, charged: usage.inputTokens }],
  )
}

/**
 * Fits the sessions of a document. All share slope and tokens per request. Each has its own head, since a sidechain has
 * other instructions and a compaction leaves texts that the transcript does not show; a session without a charged
 * request has that of all together. The result is by session; undefined if nothing was charged.
 */
export function fitSessions(
  sessions: readonly Session[],
  assumedSlope = 1,
): (CalibrationFit | undefined)[] {
  const charged = sessions.map(chargedRequestsOf)
  const together = fitCalibration(charged, assumedSlope)
  return charged.map((own, index) => {
    const fit = together && (fitHead(own, together) ?? together)
    return fit && { ...fit, warmTokens: sessions[index]?.requests[0]?.usage?.cacheReadTokens }
  })
}

/** The session with tokens as the provider counts them, and its charged answers. */
export function calibrateSession(session: Session, calibration: Calibration): Session {
  const counts = calibrateCounts(session, calibration)
  const prefix = prefixTokensOf(counts.messages, counts.perRequest)
  const head = prefix[headMessages(session.conversation)] as Tokens
  return {
    ...session,
    counts,
    warmTokens: Math.min(calibration.warmTokens ?? 0, head),
    chargedOutputs: session.requests.map(({ usage }) => usage?.outputTokens),
  }
}

/**
 * Counts as the provider makes them. Messages are rounded together, so that a request of a thousand messages is off by
 * at most half a token. What each request adds stands with the first message of its answer.
 */
function calibrateCounts(
  { counts, requests }: Session,
  { headTokens, slope, requestTokens }: Calibration,
): ConversationCounts {
  const isAdded = new Set(requests.map(({ end }) => end))
  let counted = counts.perRequest
  let calibrated = Math.round(headTokens + slope * counts.perRequest)
  let added = 0
  const perRequest = calibrated
  const messages = counts.messages.map((tokens, index) => {
    counted += tokens
    if (isAdded.has(index)) added += requestTokens
    const upTo = Math.round(headTokens + slope * counted + added)
    const own = upTo - calibrated
    calibrated = upTo
    return own
  })
  return {
    messages,
    results: counts.results.map((tokens) => Math.round(slope * tokens)),
    perRequest,
  }
}

export interface AssumedSlope {
  readonly slope: number
  readonly source: string
}

const MIGRATION_GUIDE = 'https://platform.claude.com/docs/en/about-claude/models/migration-guide'

/**
 * Tokens of Claude's tokenizers for one of o200k_base, by generation; estimates. The older one was measured on long tool
 * results of Opus and Sonnet 4.5 and 4.6, against the usage of their sessions. For the newer one, from Opus 4.7 on,
 * Anthropic states 1.0 to 1.35 times the tokens of the older; the middle is taken.
 */
const GENERATIONS: readonly (AssumedSlope & { readonly models: RegExp })[] = [
  {
    models: /claude-(?:opus-4[.-][789]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/i,
    slope: 1.35,
    source: MIGRATION_GUIDE,
  },
  { models: /claude/i, slope: 1.15, source: 'measured on sessions of Claude 4.5 and 4.6' },
]

/** The slope of a model before any usage is known; undefined where our encoding is that of the model, or nothing is known. */
export function assumedSlopeOf(model: string | undefined): AssumedSlope | undefined {
  return model === undefined ? undefined : GENERATIONS.find(({ models }) => models.test(model))
}

/** The calibration of a model whose sessions state no usage: an estimate; undefined where nothing is known. */
export function assumedCalibrationOf(model: string | undefined): Calibration | undefined {
  const assumed = assumedSlopeOf(model)
  return assumed && { headTokens: 0, slope: assumed.slope, requestTokens: 0 }
}
