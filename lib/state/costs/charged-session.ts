/** What the provider charged for the shown session, and why a plain replay differs. */
import type { Calibration } from '@/lib/core/replay/calibration/fit-calibration'
import { withHead } from '@/lib/core/replay/calibration/with-head'
import { chargeOf, chargesOf, sumCharges } from '@/lib/core/replay/charged/charge'
import { type ExplainedRequest, explainCharges } from '@/lib/core/replay/charged/explain-charges'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { type CostTerms, type Replay, replayPrepared } from '@/lib/core/replay/replay'
import type { Session } from '@/lib/core/replay/sessions'
import type { Tokens } from '@/lib/core/replay/units'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { costTermsOf } from './cost-terms'
import { preparedReplayOf } from './session-replay'
import { calibrationFitOf, calibrationOf, sessionOf, sessionsOf } from './shown-session'

const charged = memoize(
  (session: Session, sessions: readonly Session[], terms: CostTerms): SessionCharge | undefined => {
    const charge = sumCharges(chargesOf(session, terms))
    const all = sumCharges(sessions.flatMap((one) => chargesOf(one, terms)))
    const isOnly = all.requests === charge.requests
    return charge.requests === 0
      ? undefined
      : {
          charge,
          fileCost: isOnly ? undefined : all.inputCost,
          conversations: sessions.length,
        }
  },
)

type SessionCharge = Pick<ChargedFacts, 'charge' | 'fileCost' | 'conversations'>

/** What was charged for the session; undefined if the document does not state it. */
export function chargeOfSession(state: PlaygroundState): SessionCharge | undefined {
  const session = sessionOf(state)
  const sessions = sessionsOf(state)
  const terms = costTermsOf(state)?.terms
  return session && sessions && terms && charged(session, sessions, terms)
}

const explained = memoize((session: Session, calibration: Calibration, terms: CostTerms) =>
  explainCharges(session, calibration, terms),
)

/** The charged requests with their parts; undefined if nothing was charged. */
function explainedRequestsOf(state: PlaygroundState): readonly ExplainedRequest[] | undefined {
  const session = sessionOf(state)
  const terms = costTermsOf(state)?.terms
  const calibration = calibrationOf(state) ?? calibrationFitOf(state)
  if (session === undefined || terms === undefined || calibration === undefined) return undefined
  return explained(session, calibration, terms)
}

const chargedFacts = memoize(
  (
    session: Session,
    terms: CostTerms,
    charge: SessionCharge,
    requests: readonly ExplainedRequest[] | undefined,
  ): ChargedFacts => ({
    ...charge,
    byRequest: session.requests.map(({ usage }) => usage && chargeOf(usage, terms)),
    explained: requests ?? [],
  }),
)

/** What was charged, for a report; undefined if the document does not state it. */
export function chargedFactsOf(state: PlaygroundState): ChargedFacts | undefined {
  const session = sessionOf(state)
  const terms = costTermsOf(state)?.terms
  const charge = chargeOfSession(state)
  if (session === undefined || terms === undefined || charge === undefined) return undefined
  return chargedFacts(session, terms, charge, explainedRequestsOf(state))
}

/** Heads for which the result is shown where the document states no usage. */
const HEADS: readonly Tokens[] = [0, 20_000, 40_000]

/** A session under an assumed head, unmasked and masked by the current window. */
export interface HeadOutcome {
  readonly headTokens: Tokens
  readonly replay: Replay
}

/** A selector for each assumed head: the result under it; undefined until the session is prepared. */
export const HEAD_OUTCOME_SELECTORS = HEADS.map((headTokens) => {
  const outcome = memoize(
    (
      prepared: PreparedReplay,
      terms: CostTerms,
      present: Tokens,
      windowTurns: number,
      batchTurns: number,
    ): HeadOutcome => {
      const longer = withHead(prepared, headTokens - present)
      return { headTokens, replay: replayPrepared(longer, { windowTurns, batchTurns }, terms) }
    },
  )
  return (state: PlaygroundState): HeadOutcome | undefined => {
    const prepared = preparedReplayOf(state)
    const terms = costTermsOf(state)?.terms
    if (prepared === undefined || terms === undefined) return undefined
    const { enabled, windowTurns, batchTurns } = state.policy
    const present = calibrationOf(state)?.headTokens ?? 0
    return outcome(prepared, terms, present, enabled ? windowTurns : 0, batchTurns)
  }
})

/** The result under the longest assumed head. */
export const longestHeadOutcomeOf = HEAD_OUTCOME_SELECTORS.at(
  -1,
) as (typeof HEAD_OUTCOME_SELECTORS)[number]
