/**
 * Fits our token counts to those that the provider charged. A request of a session is taken to have
 *
 *   charged = head + slope × counted + request × (requests before it)
 *
 * tokens. `head`: system prompt and tool schemas that the transcript does not show. `slope`: tokens of the provider's
 * tokenizer for one of ours. `request`: what every request adds to the conversation without the transcript showing it,
 * such as marks around messages and reminders.
 *
 * The fit uses medians, so single requests that differ (a context edited by the client, an image) change nothing, and it
 * is deterministic. Slope and request come from the steps between consecutive requests, in which the head is not:
 * least absolute deviations, found by turns. The slope is fitted on long steps only, since a tool result makes a step
 * long: short steps are mostly marks and reminders, whose tokens masking does not remove. The head is then the median of
 * what remains.
 */
import type { ConversationCounts } from '../../tokens/count-conversation'
import { headMessages, prefixTokensOf, type Session } from '../sessions'
import type { Tokens } from '../units'

export interface Calibration {
  readonly headTokens: Tokens
  readonly slope: number
  readonly requestTokens: Tokens
  /** Leading tokens that the first request read from the cache: its head was sent before the transcript begins. */
  readonly warmTokens?: Tokens | undefined
}

/** A request whose charged input is known. */
export interface ChargedRequest {
  /** Number of requests before it in its session. */
  readonly index: number
  /** Our count, and the provider's. */
  readonly counted: Tokens
  readonly charged: Tokens
}

export interface CalibrationFit extends Calibration {
  readonly requestsUsed: number
  /** Median of the deviations of single requests, in percent of what was charged. */
  readonly residualPercent: number
  /** False if too few long steps are known and the slope is an assumption. */
  readonly isSlopeFitted: boolean
}

/** The number of long steps from which a slope is fitted. */
const LEAST_STEPS = 4
/** A step of fewer tokens is mostly marks around messages. */
const LONG_STEP: Tokens = 200
const ROUNDS = 20
const SLOPE_BOUNDS = [0.5, 2.5] as const

/**
 * Fits several sessions that share a head, such as those before and after a compaction. Undefined if no request is
 * charged. `assumedSlope` is used where too few steps are known.
 */
export function fitCalibration(
  sessions: readonly (readonly ChargedRequest[])[],
  assumedSlope = 1,
): CalibrationFit | undefined {
  const requests = sessions.flat()
  const steps = sessions.flatMap(stepsBetween)
  return fitHead(requests, fitSteps(steps, assumedSlope))
}

type StepFit = Pick<CalibrationFit, 'slope' | 'requestTokens' | 'isSlopeFitted'>

/** Fits the head of some requests, with slope and tokens per request as they are; undefined if there are none. */
export function fitHead(
  requests: readonly ChargedRequest[],
  { slope, requestTokens, isSlopeFitted }: StepFit,
): CalibrationFit | undefined {
  if (requests.length === 0) return undefined
  const rest = ({ index, counted, charged }: ChargedRequest) =>
    charged - slope * counted - requestTokens * index
  const headTokens = Math.max(0, Math.round(median(requests.map(rest))))
  const deviations = requests.map(
    (request) => Math.abs(rest(request) - headTokens) / Math.max(1, request.charged),
  )
  return {
    headTokens,
    slope,
    requestTokens,
    requestsUsed: requests.length,
    residualPercent: 100 * median(deviations),
    isSlopeFitted,
  }
}

/** The tokens that two requests in a row differ by, for one of our requests. */
interface Step {
  readonly counted: Tokens
  readonly charged: Tokens
  readonly requests: number
}

function stepsBetween(requests: readonly ChargedRequest[]): Step[] {
  return requests.slice(1).flatMap((request, at): Step[] => {
    const before = requests[at] as ChargedRequest
    const step = {
      counted: request.counted - before.counted,
      charged: request.charged - before.charged,
      requests: request.index - before.index,
    }
    return step.counted > 0 && step.charged > 0 && step.requests > 0 ? [step] : []
  })
}

function fitSteps(steps: readonly Step[], assumedSlope: number): StepFit {
  const middle = median(steps.map(({ counted }) => counted))
  const long = steps.filter(({ counted }) => counted >= Math.max(LONG_STEP, middle))
  const isSlopeFitted = long.length >= LEAST_STEPS
  const requestOf = (slope: number) =>
    Math.max(
      0,
      median(steps.map(({ charged, counted, requests }) => (charged - slope * counted) / requests)),
    )
  let slope = assumedSlope
  let perRequest = steps.length === 0 ? 0 : requestOf(slope)
  for (let round = 0; isSlopeFitted && round < ROUNDS; round++) {
    const rest = perRequest
    const slopes = long.map(({ charged, counted, requests }) => ({
      value: (charged - rest * requests) / counted,
      weight: counted,
    }))
    slope = clamp(weightedMedian(slopes))
    perRequest = requestOf(slope)
  }
  return {
    slope: Math.round(slope * 1000) / 1000,
    requestTokens: Math.round(perRequest),
    isSlopeFitted,
  }
}

function clamp(slope: number): number {
  const [least, most] = SLOPE_BOUNDS
  return Math.min(most, Math.max(least, slope))
}

/** The middle value, or the mean of the two; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2
}

function weightedMedian(
  values: readonly { readonly value: number; readonly weight: number }[],
): number {
  const sorted = [...values].sort((a, b) => a.value - b.value)
  const half = sorted.reduce((total, { weight }) => total + weight, 0) / 2
  let passed = 0
  for (const { value, weight } of sorted) {
    passed += weight
    if (passed >= half) return value
  }
  return 1
}

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
    readableHead: calibration.warmTokens && Math.min(calibration.warmTokens, head),
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
