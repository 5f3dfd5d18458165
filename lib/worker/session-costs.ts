import type { ReadConversation } from '@/lib/core/conversation/conversation'
import {
  createSessionMeasurer,
  lastConversationOf,
  losableUsesOf,
  prepareSession,
  type SessionMeasurer,
} from '@/lib/core/fleet/measure-sessions'
import { measuredMechanism } from '@/lib/core/mechanisms/best-settings'
import { readHistory, type SessionHistory } from '@/lib/core/mechanisms/history'
import type { MeasuredMechanism } from '@/lib/core/mechanisms/measure-mechanism'
import { validSettings } from '@/lib/core/mechanisms/mechanism'
import { mechanismOf } from '@/lib/core/mechanisms/mechanisms'
import { type Calibration, calibrateSession } from '@/lib/core/replay/calibration/calibrate-session'
import { sessionBand } from '@/lib/core/replay/misses/cost-band'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { moveCosts } from '@/lib/core/replay/replay'
import { replayFigures } from '@/lib/core/replay/replay-figures'
import { createSessions, type Session } from '@/lib/core/replay/sessions'
import { type Sweep, sweepInSteps } from '@/lib/core/replay/sweep'
import { resultOf, type Steps } from '@/lib/core/steps'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { findLaterUsesInSteps, type LaterUse } from '@/lib/core/uses/find-later-uses'
import { type LosableUse, sessionLimits } from '@/lib/core/uses/lost-uses'
import { refetchCosts } from '@/lib/core/uses/refetch-costs'
import type { LimitAnswer, PreparedReplayWithoutSession, Questions, SessionInput } from './jobs'

/** Answers the cost jobs on a counted document, and remembers the replay prepared for the last policy. */
export function createSessionCosts(
  conversations: readonly ReadConversation[],
  counts: readonly ConversationCounts[],
  countTokens: (text: string) => number,
) {
  const sessions = createSessions(conversations, counts)
  let last:
    | {
        readonly key: string
        readonly preparedReplay: PreparedReplay
        losable?: readonly LosableUse[]
      }
    | undefined
  let measurer:
    | (SessionMeasurer & { readonly prepared: PreparedReplay; readonly key: string })
    | undefined

  const preparedReplayOf = ({ session: index, policy, calibration }: SessionInput) => {
    const key = JSON.stringify([index, policy, calibration])
    if (last?.key === key) return last.preparedReplay
    const session = sessions[index] as Session
    const { resultTexts } = conversationOf(session)
    const preparedReplay = prepareSession(session, resultTexts, policy, countTokens, calibration)
    last = { key, preparedReplay }
    return preparedReplay
  }

  const conversationOf = (session: Session) =>
    conversations[lastConversationOf(session)] as ReadConversation
  const usesOf = new Map<number, readonly LaterUse[]>()
  function* laterUsesInSteps(index: number): Steps<readonly LaterUse[]> {
    const session = sessions[index] as Session
    const known = usesOf.get(index)
    if (known !== undefined) return known
    const uses = yield* findLaterUsesInSteps(session, conversationOf(session))
    usesOf.set(index, uses)
    return uses
  }

  /** Finds the later uses if they are not known yet: a new worker does not know them. */
  function* losableUsesInSteps(input: SessionInput): Steps<readonly LosableUse[]> {
    const uses = yield* laterUsesInSteps(input.session)
    const prepared = preparedReplayOf(input)
    const known = last?.losable
    if (known !== undefined) return known
    const losable = losableUsesOf(sessions[input.session] as Session, uses, prepared, input.policy)
    if (last?.preparedReplay === prepared) last.losable = losable
    return losable
  }

  /** Yields replayed requests, or characters searched. */
  function* sweepSteps(input: Questions['sweep']['input']): Steps<Sweep> {
    const losable = yield* losableUsesInSteps(input)
    const prepared = preparedReplayOf(input)
    const losses = refetchCosts(prepared, losable, input.terms)
    return yield* sweepInSteps(prepared, input.terms, undefined, losses)
  }

  function* limitSteps(input: Questions['limit']['input']): Steps<LimitAnswer> {
    const losable = yield* losableUsesInSteps(input)
    const { windowTurns, hasMoves, terms } = input
    const prepared = preparedReplayOf(input)
    const moves = hasMoves ? moveCosts(prepared, windowTurns, terms) : undefined
    return { ...sessionLimits(prepared, losable, windowTurns, terms), moves }
  }

  let lastHistory: { readonly key: string; readonly history: SessionHistory } | undefined
  const historyOf = (index: number, uses: readonly LaterUse[], calibration?: Calibration) => {
    const key = JSON.stringify([index, calibration])
    if (lastHistory?.key === key) return lastHistory.history
    const counted = sessions[index] as Session
    const session = calibration === undefined ? counted : calibrateSession(counted, calibration)
    const count = (text: string) => Math.round((calibration?.slope ?? 1) * countTokens(text))
    const history = readHistory({ session, counted }, conversationOf(counted), count, uses)
    lastHistory = { key, history }
    return history
  }

  function* mechanismSteps(input: Questions['mechanism']['input']): Steps<MeasuredMechanism> {
    const { session, calibration, id, settings } = input
    const mechanism = mechanismOf(id)
    if (mechanism === undefined) throw new RangeError(`There is no mechanism "${id}".`)
    const history = historyOf(session, yield* laterUsesInSteps(session), calibration)
    const valid = settings && validSettings(mechanism, settings)
    return yield* measuredMechanism(history, mechanism, valid, input)
  }

  return {
    mechanism: mechanismSteps,
    findLaterUses: laterUsesInSteps,
    losableUses: losableUsesInSteps,
    sweep: sweepSteps,
    limit: limitSteps,
    prepareReplay: (input: SessionInput): PreparedReplayWithoutSession => {
      const { session: _, ...preparedReplay } = preparedReplayOf(input)
      return preparedReplay
    },
    replay: (input: Questions['replay']['input']): Questions['replay']['output'] => {
      const { terms, window, request } = input
      const prepared = preparedReplayOf(input)
      const key = JSON.stringify(terms)
      if (measurer?.prepared !== prepared || measurer.key !== key) {
        const losable = () => resultOf(losableUsesInSteps(input))
        measurer = { prepared, key, ...createSessionMeasurer(prepared, terms, losable) }
      }
      const replay = measurer.replay(window)
      const band = sessionBand(prepared, replay, terms, window)
      const figures = replayFigures(replay, request, band)
      return { figures, refetched: input.hasLosses ? measurer.refetched(window) : undefined }
    },
  }
}
