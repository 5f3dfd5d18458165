/** The session of the shown conversation, as the document has it and as the provider counts it. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import { assumedCalibrationOf, assumedSlopeOf } from '@/lib/core/replay/calibration/assumed-slope'
import { calibrateSession, fitSessions } from '@/lib/core/replay/calibration/calibrate-session'
import type { Calibration, CalibrationFit } from '@/lib/core/replay/calibration/fit-calibration'
import { createSessions, type Session } from '@/lib/core/replay/sessions'
import type { CalibrationFacts } from '@/lib/core/report/report-facts'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { ReadSource } from '../document/document-slice'
import { countsOf } from '../document/selectors'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { modelNameOf } from './chosen-model'

const sessionsOfDocument = memoize(
  (read: ReadSource, counts: readonly ConversationCounts[]): readonly Session[] =>
    createSessions(read.model.conversations as readonly Conversation[], counts),
)

/** All sessions of the document; undefined until it is counted. */
export function sessionsOf(state: PlaygroundState): readonly Session[] | undefined {
  const counts = countsOf(state)
  if (state.read === undefined || counts === undefined) return undefined
  return sessionsOfDocument(state.read, counts)
}

/** Index of the shown session; undefined until it is counted. */
export function sessionIndexOf(state: PlaygroundState): number | undefined {
  const index = sessionsOf(state)?.findIndex(({ conversations }) =>
    conversations.includes(state.conversation),
  )
  return index === -1 ? undefined : index
}

/** The session of the shown conversation; undefined until it is counted. */
export function sessionOf(state: PlaygroundState): Session | undefined {
  const index = sessionIndexOf(state)
  return index === undefined ? undefined : sessionsOf(state)?.[index]
}

/** Index of the request shown; undefined for the next request, and until the session is counted. */
export function shownRequestOf(state: PlaygroundState): number | undefined {
  const session = sessionOf(state)
  // In a log, each request is a separate conversation.
  const isLog = session?.origin === 'log'
  return isLog ? session?.conversations.indexOf(state.conversation) : state.request
}

const fits = memoize((sessions: readonly Session[], assumedSlope: number | undefined) =>
  fitSessions(sessions, assumedSlope),
)

/** The fit of the shown session to its usage; undefined if its document states none. */
export function calibrationFitOf(state: PlaygroundState): CalibrationFit | undefined {
  const sessions = sessionsOf(state)
  const index = sessionIndexOf(state)
  if (sessions === undefined || index === undefined) return undefined
  return fits(sessions, assumedSlopeOf(modelNameOf(state).name)?.slope)[index]
}

/** What the user set; for the open document only. */
export function calibrationSettingOf({ calibration, read }: PlaygroundState) {
  return calibration?.document === read?.source.id ? calibration : undefined
}

const merged = memoize(
  (
    fit: Calibration | undefined,
    headTokens: number | undefined,
    slope: number | undefined,
    requestTokens: number | undefined,
  ): Calibration => ({
    headTokens: headTokens ?? fit?.headTokens ?? 0,
    slope: slope ?? fit?.slope ?? 1,
    requestTokens: requestTokens ?? fit?.requestTokens ?? 0,
    warmTokens: fit?.warmTokens,
  }),
)

const assumedCalibration = memoize(assumedCalibrationOf)

/**
 * The calibration in use: the fit, else the estimate for the model, with the values that the user set; undefined if it is
 * off or nothing is known.
 */
export function calibrationOf(state: PlaygroundState): Calibration | undefined {
  const fit = calibrationFitOf(state) ?? assumedCalibration(modelNameOf(state).name)
  const { isOff, headTokens, slope, requestTokens } = calibrationSettingOf(state) ?? {}
  if (isOff === true) return undefined
  const isSet = [headTokens, slope, requestTokens].some((value) => value !== undefined)
  return fit === undefined && !isSet ? undefined : merged(fit, headTokens, slope, requestTokens)
}

/** The source of the slope in use if it is the estimate for the model; undefined if it was fitted or set. */
export function estimateSourceOf(state: PlaygroundState): string | undefined {
  const assumed = assumedSlopeOf(modelNameOf(state).name)
  const fit = calibrationFitOf(state)
  const isAssumed = fit?.isSlopeFitted !== true && calibrationOf(state)?.slope === assumed?.slope
  return isAssumed ? assumed?.source : undefined
}

/** The estimated slope in use where no usage is stated. */
export function estimatedSlopeOf(state: PlaygroundState): number | undefined {
  if (calibrationFitOf(state) !== undefined || estimateSourceOf(state) === undefined)
    return undefined
  return calibrationOf(state)?.slope
}

const calibrated = memoize(calibrateSession)

/** The shown session in the tokens in use. */
export function calibratedSessionOf(state: PlaygroundState): Session | undefined {
  const session = sessionOf(state)
  const calibration = calibrationOf(state)
  return session && calibration ? calibrated(session, calibration) : session
}

const calibrationFacts = memoize(
  (
    inUse: Calibration | undefined,
    fit: CalibrationFit | undefined,
    estimateSource: string | undefined,
    isSetByUser: boolean,
  ): CalibrationFacts => ({ inUse, fit, estimateSource, isSetByUser }),
)

/** The calibration as a report describes it; undefined if there is none to describe. */
export function calibrationFactsOf(state: PlaygroundState): CalibrationFacts | undefined {
  const fit = calibrationFitOf(state)
  const inUse = calibrationOf(state)
  if (fit === undefined && inUse === undefined) return undefined
  const { headTokens, slope, requestTokens } = calibrationSettingOf(state) ?? {}
  const isSet = [headTokens, slope, requestTokens].some((value) => value !== undefined)
  return calibrationFacts(inUse, fit, estimateSourceOf(state), isSet)
}
