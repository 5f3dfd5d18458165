/** Compares what was charged for the sessions of a document with their replay; `scripts/usage-table.ts` prints it. */

import type { NamedTerms } from '../../../lib/cli/cost-flags'
import type { ReadConversation } from '../../../lib/core/conversation/conversation'
import { DEFAULT_POLICY } from '../../../lib/core/policy/policy'
import {
  assumedSlopeOf,
  chargedRequestsOf,
  fitSessions,
} from '../../../lib/core/replay/calibration/calibrate-session'
import {
  type Charge,
  type ChargeParts,
  chargeOf,
  chargesOf,
  type ExplainedRequest,
  explainCharges,
  sumCharges,
  sumParts,
} from '../../../lib/core/replay/charged/explain-charges'
import {
  drawMisses,
  drawnCosts,
  expectMisses,
  lossCosts,
} from '../../../lib/core/replay/misses/cost-band'
import {
  COUNTING_ERRORS,
  type MissCell,
  type ObservedMisses,
  ownMisses,
  PAUSE_SECONDS,
} from '../../../lib/core/replay/misses/miss-rates'
import { prepareReplay } from '../../../lib/core/replay/prepare-replay'
import type { Tokens, Usd } from '../../../lib/core/replay/prompt-cache'
import { type ReplaySide, replayUnmasked } from '../../../lib/core/replay/replay'
import type { CostTerms } from '../../../lib/core/replay/request-terms'
import { clearingsOf, createSessions, type Session } from '../../../lib/core/replay/sessions'
import { countConversation } from '../../../lib/core/tokens/count-conversation'

export interface UsageMeasure {
  readonly charge: Charge
  /** Sums over the charged requests, in dollars; undefined where the charged cost is unknown. */
  readonly plainCost: number | undefined
  readonly calibratedCost: number | undefined
  readonly parts: ChargeParts
  /** Fitted on the first half of each session: what it predicts for the second, as a share of the charge. */
  readonly heldOutCost: number | undefined
  readonly heldOutTokens: number | undefined
  /** The second half of each session, where its cost is known. */
  readonly halves: readonly HeldOutHalf[]
  /** The requests from which on the client itself left results out, as the requests before them predict. */
  readonly clearings: readonly ClearingStep[]
  /** By provider: the misses of all sessions. */
  readonly misses: ObservedMisses
  readonly provider: string | undefined
}

/** The second half of a session: what was charged, and what its first half predicts. */
export interface HeldOutHalf {
  readonly charged: Usd
  readonly predicted: Usd
  readonly chargedTokens: Tokens
  readonly predictedTokens: Tokens
  /** The cost with misses and the error of counting. */
  readonly draws: readonly Usd[]
  readonly misses: number
}

/** A request with results that the client cleared for it, and the tokens that it read from the cache. */
export interface ClearingStep extends Omit<HeldOutHalf, 'draws' | 'misses'> {
  /** Number of the request in its session, from 1. */
  readonly request: number
  readonly chargedRead: Tokens | undefined
  readonly predictedRead: Tokens
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
  const halves = predictSecondHalves(sessions, terms, slope)
  const shareOf = (
    part: keyof HeldOutHalf & `predicted${string}`,
    of: 'charged' | 'chargedTokens',
  ) => {
    const total = (key: typeof part | typeof of) => halves.reduce((all, one) => all + one[key], 0)
    return total(part) > 0 && total(of) > 0 ? total(part) / total(of) : undefined
  }
  return {
    charge,
    plainCost: sum(({ plain }) => plain.costs.cached),
    calibratedCost: sum(({ calibrated }) => calibrated.costs.cached),
    parts: sumParts(explained),
    heldOutCost: shareOf('predicted', 'charged'),
    heldOutTokens: shareOf('predictedTokens', 'chargedTokens'),
    clearings: sessions.flatMap((session) => predictClearings(session, terms, slope)),
    halves: halves.filter(({ charged, predicted }) => charged > 0 && predicted > 0),
    misses: tableOf(sessions.flatMap((session) => ownMisses(session, terms))),
    provider: terms.provider,
  }
}

function predictSecondHalves(
  sessions: readonly Session[],
  terms: CostTerms,
  slope: number | undefined,
): HeldOutHalf[] {
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
  return halves.map(({ session, start, first }, at): HeldOutHalf => {
    const prepared = prepareReplay(session, DEFAULT_POLICY, NO_TEXTS, fits[at])
    const { sides } = replayUnmasked(prepared, terms)
    const models = new Set(first.requests.map(({ usage }) => usage?.model))
    // Nothing is known of the head and the tokenizer of a model that the first half does not have.
    const isPredicted = session.requests.map(
      ({ usage }, index) => index >= start && usage !== undefined && models.has(usage.model),
    )
    const sum = (of: (index: number) => number | undefined) =>
      isPredicted.reduce((all, is, index) => (is ? all + (of(index) ?? Number.NaN) : all), 0)
    const charges = session.requests.map(({ usage }) => usage && chargeOf(usage, terms))
    const predicted = sum((index) => sides[index]?.costs.cached)
    const losses = lossCosts(prepared, sides, terms).map((loss, index) =>
      isPredicted[index] ? loss : 0,
    )
    const draws = drawMisses({
      ...expectMisses(session, terms, first),
      counting: COUNTING_ERRORS,
      seed: Math.round(sum((index) => sides[index]?.tokens)),
    })
    const [all, known] = [session, first].map(
      (one) => ownMisses(one, terms).filter(({ isMiss }) => isMiss).length,
    ) as [number, number]
    return {
      charged: sum((index) => charges[index]?.inputCost),
      predicted,
      chargedTokens: sum((index) => charges[index]?.inputTokens),
      predictedTokens: sum((index) => sides[index]?.tokens),
      draws: drawnCosts(draws, predicted, losses),
      misses: all - known,
    }
  })
}

function predictClearings(
  session: Session,
  terms: CostTerms,
  slope: number | undefined,
): ClearingStep[] {
  const first = new Set(clearingsOf(session).map(({ from }) => from))
  return [...first].flatMap((from): ClearingStep[] => {
    const usage = session.requests[from]?.usage
    const { inputCost, inputTokens, readTokens } = (usage && chargeOf(usage, terms)) ?? {}
    const [fit] = fitSessions([{ ...session, requests: session.requests.slice(0, from) }], slope)
    if (inputCost === undefined || inputTokens === undefined || fit === undefined) return []
    const prepared = prepareReplay(session, DEFAULT_POLICY, NO_TEXTS, fit)
    const { tokens, split, costs } = replayUnmasked(prepared, terms).sides[from] as ReplaySide
    return [
      {
        request: from + 1,
        charged: inputCost,
        predicted: costs.cached ?? Number.NaN,
        chargedTokens: inputTokens,
        predictedTokens: tokens,
        chargedRead: readTokens,
        predictedRead: split.read,
      },
    ]
  })
}

const NO_TEXTS = { textOf: () => '', placeholderTokensOf: () => 0 }

/** Observed misses by kind and pause. */
export function tableOf(
  misses: readonly (MissCell & { readonly isMiss: boolean })[],
): ObservedMisses {
  const of = (kind: MissCell['kind']) =>
    [...PAUSE_SECONDS, 0].map((_, pause) => {
      const cell = misses.filter((one) => one.kind === kind && one.pause === pause)
      return [cell.length, cell.filter(({ isMiss }) => isMiss).length] as const
    })
  return { tool_result: of('tool_result'), new_prompt: of('new_prompt') }
}
