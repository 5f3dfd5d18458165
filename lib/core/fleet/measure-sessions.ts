/** The sessions of a document under a policy: what the page, the list of files and the command line measure. */
import type { ReadConversation } from '../conversation/conversation'
import type { PolicyOfModel } from '../policy/break-even'
import type { MaskPolicy } from '../policy/policy'
import type { Calibration } from '../replay/calibration/calibrate-session'
import { assumedCalibrationOf, fitSessions } from '../replay/calibration/calibrate-session'
import type { ReplaySources } from '../replay/decide-request'
import { type MaskWindow, type PreparedReplay, prepareReplay } from '../replay/prepare-replay'
import { replayPrepared, replayUnmasked, type UnmaskedReplay } from '../replay/replay'
import type { CostTerms } from '../replay/request-terms'
import type { Session } from '../replay/sessions'
import type { LaterUse } from '../uses/find-later-uses'
import { type LosableUse, losableUses, type RefetchCosts, refetchCosts } from '../uses/lost-uses'

/** A session with the texts of its results and its later uses. */
export interface ReadSession {
  readonly session: Session
  readonly resultTexts: ReadConversation['resultTexts']
  readonly uses: readonly LaterUse[]
}

/**
 * A session with our counts, prepared for replays, with the provider's tokens for one of ours, all its later uses and those that
 * some window loses.
 */
export type PreparedSession = ReturnType<typeof prepareSessions>['sessions'][number]

/** Index of the conversation that a session ends with: the one that has its texts. */
export function lastConversationOf({ conversations }: Session): number {
  return conversations.at(-1) as number
}

/** Prepares a session for replays under a policy. */
export function prepareSession(
  session: Session,
  resultTexts: ReadConversation['resultTexts'],
  policy: PolicyOfModel,
  countTokens: (text: string) => number,
  calibration?: Calibration,
): PreparedReplay {
  const sources: ReplaySources = {
    textOf: (result) => (resultTexts[result] as readonly string[]).join(''),
    placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
  }
  return prepareReplay(session, policy, sources, calibration)
}

/** The later uses that some window loses. `session` has our counts, as placeholders do. */
export function losableUsesOf(
  { counts }: Session,
  uses: readonly LaterUse[],
  prepared: PreparedReplay,
  { placeholderTemplate: template }: MaskPolicy,
): readonly LosableUse[] {
  return losableUses(uses, prepared, { template, resultTokens: counts.results })
}

/** Prepares the sessions of a document, calibrated by their usage, else by what is known of the model. */
export function prepareSessions(
  sessions: readonly ReadSession[],
  policy: PolicyOfModel,
  countTokens: (text: string) => number,
  calibratedModel: string | undefined,
) {
  const assumed = assumedCalibrationOf(calibratedModel)
  const all = sessions.map(({ session }) => session)
  const fits = calibratedModel === undefined ? [] : fitSessions(all, assumed?.slope)
  const known = fits.filter((fit) => fit !== undefined)
  return {
    sessions: sessions.map(({ session, resultTexts, uses }, index) => {
      const calibration = fits[index] ?? assumed
      const prepared = prepareSession(session, resultTexts, policy, countTokens, calibration)
      const losable = losableUsesOf(session, uses, prepared, policy)
      return { session, prepared, slope: calibration?.slope ?? 1, uses, losable }
    }),
    /** Those of the sessions that state usage. */
    fits: known,
    /** The slope in use where no usage is stated. */
    estimatedSlope: known.length > 0 ? undefined : assumed?.slope,
  }
}

/** Measures a session under any window. What all windows have in common is computed once, when it is asked for. */
export function createSessionMeasurer(
  prepared: PreparedReplay,
  terms: CostTerms,
  losable: () => readonly LosableUse[],
) {
  let unmasked: UnmaskedReplay | undefined
  let refetchedAt: ReturnType<typeof refetchCosts> | undefined
  return {
    replay: (window: MaskWindow) => {
      unmasked ??= replayUnmasked(prepared, terms)
      return replayPrepared(prepared, window, terms, unmasked)
    },
    /** What fetching all lost results again costs. */
    refetched: (window: MaskWindow): RefetchCosts => {
      refetchedAt ??= refetchCosts(prepared, losable(), terms)
      return refetchedAt(window)
    },
  }
}

/** Measures a session under one window. */
export function measureSession(
  { prepared, losable }: Pick<PreparedSession, 'prepared' | 'losable'>,
  window: MaskWindow,
  terms: CostTerms,
) {
  const { replay, refetched } = createSessionMeasurer(prepared, terms, () => losable)
  return { ...replay(window), refetched: refetched(window) }
}
