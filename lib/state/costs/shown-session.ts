/** The session of the shown conversation, as the document has it and as the provider counts it. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import { assumedSlopeOf } from '@/lib/core/replay/calibration/assumed-slope'
import { calibrateSession, fitSessions } from '@/lib/core/replay/calibration/calibrate-session'
import type { Calibration, CalibrationFit } from '@/lib/core/replay/calibration/fit-calibration'
import { createSessions, type Session } from '@/lib/core/replay/sessions'
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

function sessionsOf(state: PlaygroundState): readonly Session[] | undefined {
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
    fit: CalibrationFit | undefined,
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

/** The calibration in use: the fit, with the values that the user set; undefined if it is off or nothing is known. */
export function calibrationOf(state: PlaygroundState): Calibration | undefined {
  const fit = calibrationFitOf(state)
  const { isOff, headTokens, slope, requestTokens } = calibrationSettingOf(state) ?? {}
  if (isOff === true) return undefined
  const isSet = [headTokens, slope, requestTokens].some((value) => value !== undefined)
  return fit === undefined && !isSet ? undefined : merged(fit, headTokens, slope, requestTokens)
}

const calibrated = memoize(calibrateSession)

/** The shown session in the tokens in use. */
export function calibratedSessionOf(state: PlaygroundState): Session | undefined {
  const session = sessionOf(state)
  const calibration = calibrationOf(state)
  return session && calibration ? calibrated(session, calibration) : session
}
