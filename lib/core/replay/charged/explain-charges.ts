/**
 * Takes apart what was charged for a session and what the plain replay of it costs. Each cause is added to the replay in
 * turn; its part is the change of every request's cost. What then remains of a request belongs to one cause: a
 * compaction, if the request is the first after one; a change of model; a miss that no rule foresees, if the provider
 * read far less from its cache than the replay; else the rest.
 */

import { addUp } from '../../conversation/add-up'
import { DEFAULT_POLICY } from '../../policy/policy'
import type { Calibration } from '../calibration/calibrate-session'
import { prepareReplay } from '../prepare-replay'
import { type Tokens, type Usd, withoutLifetime } from '../prompt-cache'
import { type ReplaySide, replayUnmasked } from '../replay'
import type { CostTerms } from '../request-terms'
import type { Session } from '../sessions'
import { type Charge, chargeOf } from './charge'

export const CHARGE_PARTS = [
  'head',
  'counting',
  'hour_writes',
  'expiry',
  'service',
  'model',
  'compaction',
  'misses',
  'rest',
] as const

export type ChargePart = (typeof CHARGE_PARTS)[number]

/** Dollars of input by cause; their sum is what was charged less the plain replay. */
export type ChargeParts = Readonly<Record<ChargePart, Usd>>

export type ExplainedRequest = ReturnType<typeof explainCharges>[number]

/** The provider read at least this much less than the replay, as a share of the request. */
const MISSED_SHARE = 0.1

/** The charged requests of a session, in order; empty if a price is unknown. */
export function explainCharges(session: Session, calibration: Calibration, terms: CostTerms) {
  const { variants = [], ...withoutVariants } = terms
  const hours = variants.filter(({ hasHourWrites }) => hasHourWrites)
  const services = variants.filter(({ hasHourWrites, factor = 1 }) => hasHourWrites || factor !== 1)
  const withoutTime = { ...withoutVariants, rule: withoutLifetime(terms.rule) }
  const isAfterCompaction = session.conversation.followsCompaction === true
  const cold = { ...calibration, warmTokens: undefined }
  const headOnly = { headTokens: calibration.headTokens, slope: 1, requestTokens: 0 }
  const plain = sidesOf(session, undefined, withoutTime)
  const stages: readonly (readonly [ChargePart, readonly ReplaySide[]])[] = [
    ['head', sidesOf(session, headOnly, withoutTime)],
    ['counting', sidesOf(session, cold, withoutTime)],
    ['hour_writes', sidesOf(session, cold, { ...withoutTime, variants: hours })],
    ['expiry', sidesOf(session, cold, { ...terms, variants: hours })],
    // A head that was cached before the transcript begins.
    [
      isAfterCompaction ? 'compaction' : 'head',
      sidesOf(session, calibration, { ...terms, variants: hours }),
    ],
    ['service', sidesOf(session, calibration, { ...terms, variants: services })],
    ['model', sidesOf(session, calibration, terms)],
  ]
  let model: string | undefined
  return session.requests.flatMap(({ usage }, request) => {
    if (usage === undefined) return []
    const isOtherModel = model !== undefined && usage.model !== undefined && usage.model !== model
    model = usage.model ?? model
    const charge = chargeOf(usage, terms)
    const first = plain[request] as ReplaySide
    const parts: Record<ChargePart, Usd> = emptyParts()
    let cost = first.costs.cached
    if (cost === undefined || charge.inputCost === undefined) return []
    for (const [part, sides] of stages) {
      const next = sides[request]?.costs.cached
      if (next === undefined) return []
      parts[part] += next - cost
      cost = next
    }
    const calibrated = stages.at(-1)?.[1][request] as ReplaySide
    const cause =
      isAfterCompaction && request === 0
        ? 'compaction'
        : isOtherModel
          ? 'model'
          : hasMissed(charge, calibrated)
            ? 'misses'
            : 'rest'
    parts[cause] += charge.inputCost - cost
    return {
      /** Index of the request in its session. */
      request,
      charge,
      /** The plain replay: our counts, and a cache that forgets nothing. */
      plain: first,
      /** The replay with all causes. */
      calibrated,
      parts: parts as ChargeParts,
    }
  })
}

export function sumParts(requests: readonly Pick<ExplainedRequest, 'parts'>[]): ChargeParts {
  return addUp([emptyParts(), ...requests.map(({ parts }) => parts)])
}

function emptyParts(): Record<ChargePart, Usd> {
  return Object.fromEntries(CHARGE_PARTS.map((part) => [part, 0])) as Record<ChargePart, Usd>
}

function hasMissed({ readTokens, inputTokens }: Charge, { split }: ReplaySide): boolean {
  if (readTokens === undefined || inputTokens === undefined) return false
  return split.read - readTokens > MISSED_SHARE * inputTokens
}

function sidesOf(
  session: Session,
  calibration: Calibration | undefined,
  terms: CostTerms,
): readonly ReplaySide[] {
  const prepared = prepareReplay(session, DEFAULT_POLICY, NO_TEXTS, calibration)
  return replayUnmasked(prepared, terms).sides
}

/** The replay is of unmasked requests, so no text is asked for. */
const NO_TEXTS = { textOf: () => '', placeholderTokensOf: (): Tokens => 0 }
