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
 * least absolute deviations, found by turns. An answer adds what was charged for it where that is more than our count, since
 * files leave out or shorten thinking that is sent again. The slope is fitted on long steps only, since a tool result makes a step
 * long: short steps are mostly marks and reminders, whose tokens masking does not remove. The head is then the median of
 * what remains.
 */
import type { ConversationCounts } from '../../tokens/count-conversation'
import type { Tokens } from '../prompt-cache'
import type { Session } from '../sessions'
import { clearingsOf, headMessages, outputTokens, prefixTokensOf, sentTokensOf } from '../sessions'
import { median, readableTokensOf } from './readable-head'

export interface Calibration {
  readonly headTokens: Tokens
  readonly slope: number
  readonly requestTokens: Tokens
  /** Leading tokens that the first request read from the cache: its head was sent before the transcript begins. */
  readonly warmTokens?: Tokens | undefined
  /** Leading tokens that a request reads after a change or a loss, if not `warmTokens`. */
  readonly readableTokens?: Tokens | undefined
  /** True if an answer adds its charged output to later requests where that is more than our count. */
  readonly addsOutput?: boolean | undefined
}

/** A request whose charged input is known. */
export interface ChargedRequest {
  /** Number of requests before it in its session. */
  readonly index: number
  /** Our count, and the provider's. */
  readonly counted: Tokens
  readonly charged: Tokens
  /** Its answer, where the output is charged. */
  readonly answer?: AnswerTokens | undefined
}

interface AnswerTokens {
  readonly counted: Tokens
  readonly charged: Tokens
}

/**
 * Tokens of an answer that the transcript does not show, such as thinking that it leaves out or shortens: what was charged
 * beyond our count. The requests after it send them too.
 */
function hiddenTokens(answer: AnswerTokens | undefined, slope: number): Tokens {
  return answer === undefined ? 0 : Math.max(0, answer.charged - slope * answer.counted)
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

type StepFit = Pick<CalibrationFit, 'slope' | 'requestTokens' | 'isSlopeFitted' | 'addsOutput'>

/** Fits the head of some sessions, with slope and tokens per request as they are; undefined if no request is charged. */
function fitHead(
  sessions: readonly (readonly ChargedRequest[])[],
  { slope, requestTokens, isSlopeFitted, addsOutput }: StepFit,
): CalibrationFit | undefined {
  const requests = sessions.flatMap((session) => {
    let hidden = 0
    return session.map(({ index, counted, charged, answer }) => {
      const left = charged - slope * counted - requestTokens * index - hidden
      hidden += hiddenTokens(answer, slope)
      return { charged, left }
    })
  })
  if (requests.length === 0) return undefined
  const headTokens = Math.max(0, Math.round(median(requests.map(({ left }) => left))))
  const deviations = requests.map(
    ({ charged, left }) => Math.abs(left - headTokens) / Math.max(1, charged),
  )
  return {
    headTokens,
    slope,
    requestTokens,
    requestsUsed: requests.length,
    residualPercent: 100 * median(deviations),
    isSlopeFitted,
    addsOutput,
  }
}

type Step = ReturnType<typeof stepsBetween>[number]

/** The tokens that two requests in a row differ by, and the answer of the earlier one. */
function stepsBetween(requests: readonly ChargedRequest[]) {
  return requests.slice(1).flatMap((request, at) => {
    const before = requests[at] as ChargedRequest
    const step = {
      counted: request.counted - before.counted,
      charged: request.charged - before.charged,
      requests: request.index - before.index,
      answer: before.answer,
    }
    return step.counted * step.charged > 0 && step.requests > 0 ? [step] : []
  })
}

function fitSteps(all: readonly Step[], assumedSlope: number): Omit<StepFit, 'addsOutput'> {
  const steps = all.filter(({ counted }) => counted > 0)
  // Steps of one length fit any slope; one in which the client cleared results is of another.
  const back = all.find(({ counted }) => counted < 0)
  const middle = median(steps.map(({ counted }) => counted))
  const long = steps.filter(({ counted }) => counted >= Math.max(LONG_STEP, middle))
  const isSlopeFitted = long.length >= LEAST_STEPS
  const shown = ({ charged, answer }: Step, slope: number) => charged - hiddenTokens(answer, slope)
  const requestOf = (slope: number) =>
    Math.max(
      0,
      median(steps.map((step) => (shown(step, slope) - slope * step.counted) / step.requests)),
    )
  const middleCharge = median(steps.map(({ charged }) => charged))
  let slope = clamp(back ? (middleCharge - back.charged) / (middle - back.counted) : assumedSlope)
  let perRequest = steps.length === 0 ? 0 : requestOf(slope)
  for (let round = 0; isSlopeFitted && round < ROUNDS; round++) {
    const rest = perRequest
    const last = slope
    const slopes = long.map((step) => ({
      value: (shown(step, last) - rest * step.requests) / step.counted,
      weight: step.counted,
    }))
    slope = clamp(weightedMedian(slopes))
    perRequest = requestOf(slope)
  }
  const requestTokens = Math.round(perRequest)
  return { slope: Math.round(slope * 1000) / 1000, requestTokens, isSlopeFitted }
}

function clamp(slope: number): number {
  const [least, most] = SLOPE_BOUNDS
  return Math.min(most, Math.max(least, slope))
}

function weightedMedian(values: readonly { readonly value: number; readonly weight: number }[]) {
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
export function chargedRequestsOf(session: Session): ChargedRequest[] {
  const { counts, requests } = session
  const prefix = prefixTokensOf(counts.messages, counts.perRequest)
  const sent = sentTokensOf(requests, prefix, clearingsOf(session))
  const answers = answersOf(session)
  return requests.flatMap(({ usage: { inputTokens: charged, isOfMasked } = {} }, index) => {
    if (charged === undefined || charged === 0 || isOfMasked === true) return []
    return [{ index, counted: sent[index] as Tokens, charged, answer: answers[index] }]
  })
}

/** By request: its answer, if its output is charged and it has one. */
function answersOf(session: Session): (AnswerTokens | undefined)[] {
  const counted = outputTokens({ ...session, chargedOutputs: undefined })
  return session.requests.map(({ answer, usage }, index) =>
    answer === undefined || usage?.outputTokens === undefined
      ? undefined
      : { counted: counted[index] as Tokens, charged: usage.outputTokens },
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
  const fitted = (addsOutput: boolean) => {
    const counted = charged.map((requests) =>
      addsOutput ? requests : requests.map((request) => ({ ...request, answer: undefined })),
    )
    const steps = { ...fitSteps(counted.flatMap(stepsBetween), assumedSlope), addsOutput }
    const together = fitHead(counted, steps)
    return counted.map((own) => fitHead([own], steps) ?? together)
  }
  const [adding, leavingOut] = [fitted(true), fitted(false)]
  // Some providers send no thinking back; their sessions fit much better without.
  const fits = 2 * deviationOf(leavingOut) < deviationOf(adding) ? leavingOut : adding
  return fits.map((fit, index) => {
    const { requests } = sessions[index] as Session
    const warmTokens = requests[0]?.usage?.cacheReadTokens
    return fit && { ...fit, warmTokens, readableTokens: readableTokensOf(requests) }
  })
}

function deviationOf(fits: readonly (CalibrationFit | undefined)[]): number {
  return median(fits.flatMap((fit) => fit?.residualPercent ?? []))
}

/** The session with tokens as the provider counts them, and its charged answers. */
export function calibrateSession(session: Session, calibration: Calibration): Session {
  const counts = calibrateCounts(session, calibration)
  const prefix = prefixTokensOf(counts.messages, counts.perRequest)
  const head = prefix[headMessages(session.conversation)] as Tokens
  const readable = calibration.readableTokens ?? calibration.warmTokens
  return {
    ...session,
    counts,
    warmTokens: Math.min(calibration.warmTokens ?? 0, head),
    readableHead: readable && Math.min(readable, head),
    chargedOutputs: session.requests.map(({ usage }) => usage?.outputTokens),
  }
}

/**
 * Counts as the provider makes them. Messages are rounded together, so that a request of a thousand messages is off by
 * at most half a token. What each request adds stands with the first message of its answer.
 */
function calibrateCounts(
  session: Session,
  { headTokens, slope, requestTokens, addsOutput }: Calibration,
): ConversationCounts {
  const { counts, requests } = session
  const answers = addsOutput === true ? answersOf(session) : []
  const addedAt = new Map(
    requests.map(({ end }, index) => [end, requestTokens + hiddenTokens(answers[index], slope)]),
  )
  let counted = counts.perRequest
  let calibrated = Math.round(headTokens + slope * counts.perRequest)
  let added = 0
  const perRequest = calibrated
  const messages = counts.messages.map((tokens, index) => {
    counted += tokens
    added += addedAt.get(index) ?? 0
    const upTo = Math.round(headTokens + slope * counted + added)
    const own = upTo - calibrated
    calibrated = upTo
    return own
  })
  const results = counts.results.map((tokens) => Math.round(slope * tokens))
  return { messages, results, perRequest }
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
