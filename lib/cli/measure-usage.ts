/** Compares what was charged for the sessions of a document with their replay; `scripts/usage-table.ts` prints it. */
import type { ReadConversation } from '../core/conversation/conversation'
import { DEFAULT_POLICY } from '../core/policy/policy'
import {
  assumedSlopeOf,
  chargedRequestsOf,
  fitSessions,
} from '../core/replay/calibration/calibrate-session'
import { type Charge, chargeOf, chargesOf, sumCharges } from '../core/replay/charged/charge'
import {
  type ChargeParts,
  type ExplainedRequest,
  explainCharges,
  sumParts,
} from '../core/replay/charged/explain-charges'
import { prepareReplay } from '../core/replay/prepare-replay'
import { replayUnmasked } from '../core/replay/replay'
import type { CostTerms } from '../core/replay/request-terms'
import { createSessions, type Session } from '../core/replay/sessions'
import { countConversation } from '../core/tokens/count-conversation'
import type { NamedTerms } from './cost-flags'

export interface UsageMeasure {
  readonly charge: Charge
  /** Sums over the charged requests, in dollars; undefined where the charged cost is unknown. */
  readonly plainCost: number | undefined
  readonly calibratedCost: number | undefined
  readonly parts: ChargeParts
  /** Fitted on the first half of each session: what it predicts for the second, as a share of the charge. */
  readonly heldOutCost: number | undefined
  readonly heldOutTokens: number | undefined
}

/** A session of fewer charged requests has no half to fit. */
const LEAST_REQUESTS = 6

/** Undefined if the document states no input. */
export function measureUsage(
  conversations: readonly ReadConversation[],
  { model, termsFor }: Pick<NamedTerms, 'model' | 'termsFor'>,
  countTokens: (text: string) => number,
): UsageMeasure | undefined {
  const counts = conversations.map((conversation) => countConversation(conversation, countTokens))
  const sessions = createSessions(conversations, counts)
  const terms = termsFor(sessions)
  const charge = sumCharges(sessions.flatMap((session) => chargesOf(session, terms)))
  if (charge.inputTokens === undefined) return undefined
  const slope = assumedSlopeOf(model)?.slope
  const fits = fitSessions(sessions, slope)
  const explained = sessions.flatMap((session, index) => {
    const fit = fits[index]
    return fit === undefined ? [] : explainCharges(session, fit, terms)
  })
  const sum = (of: (request: ExplainedRequest) => number | undefined) =>
    explained.length === 0
      ? undefined
      : explained.reduce((total, request) => total + (of(request) ?? 0), 0)
  const heldOut = predictSecondHalves(sessions, terms, slope)
  return {
    charge,
    plainCost: sum(({ plain }) => plain.costs.cached),
    calibratedCost: sum(({ calibrated }) => calibrated.costs.cached),
    parts: sumParts(explained),
    heldOutCost: heldOut.cost,
    heldOutTokens: heldOut.tokens,
  }
}

function predictSecondHalves(
  sessions: readonly Session[],
  terms: CostTerms,
  slope: number | undefined,
) {
  const halves = sessions.flatMap((session) => {
    const charged = chargedRequestsOf(session)
    const start = charged[Math.ceil(charged.length / 2)]?.index ?? 0
    // What follows the half is hidden from the fit.
    const first = { ...session, requests: session.requests.slice(0, start) }
    return charged.length < LEAST_REQUESTS ? [] : [{ session, start, first }]
  })
  const fits = fitSessions(
    halves.map(({ first }) => first),
    slope,
  )
  const sums = { charged: 0, predicted: 0, chargedTokens: 0, predictedTokens: 0 }
  for (const [at, { session, start, first }] of halves.entries()) {
    const { sides } = replayUnmasked(
      prepareReplay(session, DEFAULT_POLICY, NO_TEXTS, fits[at]),
      terms,
    )
    const models = new Set(first.requests.map(({ usage }) => usage?.model))
    for (const [index, { usage }] of session.requests.entries()) {
      // Nothing is known of the head and the tokenizer of a model that the first half does not have.
      if (index < start || usage === undefined || !models.has(usage.model)) continue
      const { inputCost, inputTokens } = chargeOf(usage, terms)
      sums.charged += inputCost ?? Number.NaN
      sums.predicted += sides[index]?.costs.cached ?? Number.NaN
      sums.chargedTokens += inputTokens ?? Number.NaN
      sums.predictedTokens += sides[index]?.tokens ?? Number.NaN
    }
  }
  const share = (part: number, of: number) => (part > 0 && of > 0 ? part / of : undefined)
  return {
    cost: share(sums.predicted, sums.charged),
    tokens: share(sums.predictedTokens, sums.chargedTokens),
  }
}

const NO_TEXTS = { textOf: () => '', placeholderTokensOf: () => 0 }
