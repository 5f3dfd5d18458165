/** The session of the shown conversation, as the document has it and as the provider counts it. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Calibration, CalibrationFit } from '@/lib/core/replay/calibration/calibrate-session'
import {
  assumedCalibrationOf,
  assumedSlopeOf,
  calibrateSession,
  fitSessions,
} from '@/lib/core/replay/calibration/calibrate-session'
import { createSessions, type Session } from '@/lib/core/replay/sessions'
import type { CalibrationFacts } from '@/lib/core/report/report-facts'
import { clearedResults, countsOf } from '../document/selectors'
import { optional, type PlaygroundState, select } from '../store'
import { modelNameOf } from './chosen-model'
import type { CalibrationSetting } from './costs-slice'

/** All sessions of the document; undefined until it is counted. */
export const sessionsOf = select(
  [({ read }) => read, countsOf],
  ({ model }, counts): readonly Session[] =>
    createSessions(model.conversations as readonly Conversation[], counts),
)

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

/** True if the transcript records that the client cleared results itself. */
export const hasClearings = select(
  [sessionOf],
  ({ conversation }) => clearedResults(conversation).length > 0,
)

const fitsOf = select(
  [sessionsOf, optional((state) => assumedSlopeOf(modelNameOf(state).name)?.slope)],
  fitSessions,
)

/** The fit of the shown session to its usage; undefined if its document states none. */
export function calibrationFitOf(state: PlaygroundState): CalibrationFit | undefined {
  const index = sessionIndexOf(state)
  return index === undefined ? undefined : fitsOf(state)?.[index]
}

const NOT_SET: Omit<CalibrationSetting, 'document'> = {}

/** What the user set; for the open document only. */
export function calibrationSettingOf({ calibration, read }: PlaygroundState) {
  return calibration?.document === read?.source.id ? calibration : undefined
}

/**
 * By session, the calibration in use: the fit, else the estimate for the model, with the values that the user set; undefined
 * if it is off or nothing is known.
 */
export const calibrationsOf = select(
  [fitsOf, (state) => modelNameOf(state).name, optional(calibrationSettingOf)],
  (fits, model, setting) =>
    fits.map((fitted): Calibration | undefined => {
      const { isOff, headTokens, slope, requestTokens } = setting ?? NOT_SET
      const fit: Calibration | undefined = fitted ?? assumedCalibrationOf(model)
      const isSet = [headTokens, slope, requestTokens].some((value) => value !== undefined)
      if (isOff === true || (fit === undefined && !isSet)) return undefined
      return {
        headTokens: headTokens ?? fit?.headTokens ?? 0,
        slope: slope ?? fit?.slope ?? 1,
        requestTokens: requestTokens ?? fit?.requestTokens ?? 0,
        warmTokens: fit?.warmTokens,
        readableTokens: fit?.readableTokens,
        addsOutput: fit?.addsOutput,
      }
    }),
)

/** That of the shown session. */
export const calibrationOf = (state: PlaygroundState): Calibration | undefined =>
  calibrationsOf(state)?.[sessionIndexOf(state) ?? -1]

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

/** The shown session in the tokens in use. */
export const calibratedSessionOf = select(
  [sessionOf, optional(calibrationOf)],
  (session, calibration) =>
    calibration === undefined ? session : calibrateSession(session, calibration),
)

/** The calibration as a report describes it; undefined if there is none to describe. */
export const calibrationFactsOf = select(
  [
    optional(calibrationOf),
    optional(calibrationFitOf),
    optional(estimateSourceOf),
    optional(calibrationSettingOf),
  ],
  (inUse, fit, estimateSource, setting): CalibrationFacts | undefined => {
    if (fit === undefined && inUse === undefined) return undefined
    const { headTokens, slope, requestTokens } = setting ?? {}
    const isSetByUser = [headTokens, slope, requestTokens].some((value) => value !== undefined)
    return { inUse, fit, estimateSource, isSetByUser }
  },
)
