import type { ReadConversation } from '@/lib/core/conversation/conversation'
import {
  createSessionMeasurer,
  lastConversationOf,
  losableUsesOf,
  prepareSession,
} from '@/lib/core/fleet/measure-sessions'
import { type MainCurve, mainCurve, searchedMechanism } from '@/lib/core/mechanisms/best-settings'
import { readHistory, type SessionHistory } from '@/lib/core/mechanisms/history'
import { validSettings } from '@/lib/core/mechanisms/mechanism'
import { viewedMechanism } from '@/lib/core/mechanisms/mechanism-view'
import { mechanismOf } from '@/lib/core/mechanisms/mechanisms'
import { type SentRequest, sentRequest } from '@/lib/core/mechanisms/write-request'
import { calibrateSession } from '@/lib/core/replay/calibration/calibrate-session'
import { sessionBand } from '@/lib/core/replay/misses/cost-band'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { moveCosts } from '@/lib/core/replay/replay'
import { replayFigures } from '@/lib/core/replay/replay-figures'
import { createSessions, type Session } from '@/lib/core/replay/sessions'
import { type Sweep, sweepInSteps } from '@/lib/core/replay/sweep'
import { resultOf, type Steps } from '@/lib/core/steps'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { findLaterUsesInSteps, type LaterUse } from '@/lib/core/uses/find-later-uses'
import { type LosableUse, refetchCosts, sessionLimits } from '@/lib/core/uses/lost-uses'
import type {
  LimitAnswer,
  MechanismInput,
  OnCountedSession,
  PreparedReplayWithoutSession,
  Questions,
  SentRequestInput,
  SessionInput,
} from './jobs'

/** Answers the cost jobs on a counted document, and remembers the replay prepared for the last policy. */
export function createSessionCosts(
  conversations: readonly ReadConversation[],
  counts: readonly ConversationCounts[],
  countTokens: (text: string) => number,
) {
  const sessions = createSessions(conversations, counts)
  const lastReplay = lastValue<{ prepared: PreparedReplay; losable?: readonly LosableUse[] }>()
  const lastMeasurer = lastValue<ReturnType<typeof createSessionMeasurer>>()
  const lastHistories = sessions.map(() => lastValue<SessionHistory>())

  const replayOf = ({ session: index, policy, calibration }: SessionInput) =>
    lastReplay([index, policy, calibration], () => {
      const session = sessions[index] as Session
      const { resultTexts } = conversationOf(session)
      return { prepared: prepareSession(session, resultTexts, policy, countTokens, calibration) }
    })

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
    const replay = replayOf(input)
    const session = sessions[input.session] as Session
    replay.losable ??= losableUsesOf(session, uses, replay.prepared, input.policy)
    return replay.losable
  }

  /** Yields replayed requests, or characters searched. */
  function* sweepSteps(input: Questions['sweep']['input']): Steps<Sweep> {
    const losable = yield* losableUsesInSteps(input)
    const { prepared } = replayOf(input)
    const losses = refetchCosts(prepared, losable, input.terms)
    return yield* sweepInSteps(prepared, input.terms, undefined, losses)
  }

  function* limitSteps(input: Questions['limit']['input']): Steps<LimitAnswer> {
    const losable = yield* losableUsesInSteps(input)
    const { windowTurns, hasMoves, terms } = input
    const { prepared } = replayOf(input)
    const moves = hasMoves ? moveCosts(prepared, windowTurns, terms) : undefined
    return { ...sessionLimits(prepared, losable, windowTurns, terms), moves }
  }

  function* historyInSteps({ session: index, calibration }: OnCountedSession) {
    const uses = yield* laterUsesInSteps(index)
    return lastHistories[index]?.([calibration], () => {
      const counted = sessions[index] as Session
      const session = calibration === undefined ? counted : calibrateSession(counted, calibration)
      const given = [conversationOf(counted), countTokens, uses, calibration?.slope] as const
      return readHistory({ session, counted }, ...given)
    }) as SessionHistory
  }

  function* mechanismSteps(input: Questions['mechanism']['input']) {
    const mechanism = mechanismOf(input.id)
    if (mechanism === undefined) return null
    const own = { ...input, history: yield* historyInSteps(input) }
    if (input.settings === undefined)
      return yield* searchedMechanism([own], mechanism, input.keptShare)
    const valid = validSettings(mechanism, input.settings)
    return yield* viewedMechanism(own, mechanism, valid, countTokens)
  }

  function* mechanismCurveSteps(input: MechanismInput): Steps<MainCurve | null> {
    const mechanism = mechanismOf(input.id)
    if (mechanism === undefined) return null
    const settings = validSettings(mechanism, input.settings ?? {})
    const own = { history: yield* historyInSteps(input), terms: input.terms }
    return (yield* mainCurve(own, mechanism, settings, input.keptShare)) ?? null
  }

  function* sentRequestSteps(input: SentRequestInput): Steps<SentRequest | null> {
    const mechanism = mechanismOf(input.mechanism.id)
    if (mechanism === undefined) return null
    const settings = validSettings(mechanism, input.mechanism.settings)
    const history = yield* historyInSteps(input)
    return (yield* sentRequest(history, mechanism, settings, input.request)) ?? null
  }

  return {
    mechanism: mechanismSteps,
    mechanismCurve: mechanismCurveSteps,
    sentRequest: sentRequestSteps,
    findLaterUses: ({ session }: OnCountedSession) => laterUsesInSteps(session),
    losableUses: losableUsesInSteps,
    sweep: sweepSteps,
    limit: limitSteps,
    prepareReplay: (input: SessionInput): PreparedReplayWithoutSession => {
      const { session: _, ...preparedReplay } = replayOf(input).prepared
      return preparedReplay
    },
    replay: (input: Questions['replay']['input']): Questions['replay']['output'] => {
      const { terms, window, request, session, policy, calibration } = input
      const { prepared } = replayOf(input)
      const measurer = lastMeasurer([session, policy, calibration, terms], () =>
        createSessionMeasurer(prepared, terms, () => resultOf(losableUsesInSteps(input))),
      )
      const replay = measurer.replay(window)
      const band = sessionBand(prepared, replay, terms, window)
      const figures = replayFigures(replay, request, band)
      return { figures, refetched: input.hasLosses ? measurer.refetched(window) : undefined }
    },
  }
}

/** Remembers the last value until one with another key, written as JSON, is asked for. */
function lastValue<Value>() {
  let last: { readonly key: string; readonly value: Value } | undefined
  return (key: readonly unknown[], make: () => Value): Value => {
    const written = JSON.stringify(key)
    if (last?.key !== written) last = { key: written, value: make() }
    return last.value
  }
}
