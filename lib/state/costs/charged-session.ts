/** What the provider charged for the shown session, and why a plain replay differs. */

import {
  chargeOf,
  chargesOf,
  explainCharges,
  sumCharges,
} from '@/lib/core/replay/charged/explain-charges'
import type { Tokens } from '@/lib/core/replay/prompt-cache'
import { withHead } from '@/lib/core/replay/replace-result-tokens'
import { replayPrepared } from '@/lib/core/replay/replay'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import { current, preparedReplayOf } from '../policy/policy-view'
import { optional, type PlaygroundState, select } from '../store'
import { termsOf } from './cost-terms'
import {
  calibrationFitOf,
  calibrationOf,
  hasClearings,
  sessionOf,
  sessionsOf,
} from './shown-session'
import { ofPolicy } from './tried-mechanism'

const clearedCostOf = (state: PlaygroundState) =>
  hasClearings(state) ? ofPolicy(current.figuresOf)(state)?.before.costs.cached : undefined

/** What was charged for the session; undefined if the document does not state it. */
export const chargeOfSession = select(
  [sessionOf, sessionsOf, termsOf, optional(clearedCostOf)],
  (session, sessions, terms, replayedCost) => {
    const charge = sumCharges(chargesOf(session, terms))
    if (charge.requests === 0) return undefined
    const all = sumCharges(sessions.flatMap((one) => chargesOf(one, terms)))
    const fileCost = all.requests === charge.requests ? undefined : all.inputCost
    return { charge, fileCost, replayedCost, conversations: sessions.length }
  },
)

const explainedRequestsOf = select(
  [sessionOf, (state) => calibrationOf(state) ?? calibrationFitOf(state), termsOf],
  (session, calibration, terms) => explainCharges(session, calibration, terms),
)

/** What was charged, for a report; undefined if the document does not state it. */
export const chargedFactsOf = select(
  [sessionOf, termsOf, chargeOfSession, optional(explainedRequestsOf)],
  (session, terms, charge, explained): ChargedFacts => ({
    ...charge,
    byRequest: session.requests.map(({ usage }) => usage && chargeOf(usage, terms)),
    explained: explained ?? [],
  }),
)

/** The longest head that a session is likely to have where its document states no usage. */
const LONGEST_HEAD: Tokens = 40_000

/** The session under that head, unmasked and masked; undefined until it is prepared. */
export const longestHeadOutcomeOf = select(
  [preparedReplayOf, termsOf, (state) => calibrationOf(state)?.headTokens ?? 0, current.windowOf],
  (prepared, terms, present, window) => {
    const longer = withHead(prepared, LONGEST_HEAD - present)
    return { headTokens: LONGEST_HEAD, replay: replayPrepared(longer, window, terms) }
  },
)
