/**
 * Costs of the shown session before and after masking, for the current policy and for every window and batch. The
 * worker prepares the replay: it decides every result once, for all windows and batches. It also sweeps all of them.
 * The page replays the current window of a short session from the prepared replay, so that a drag does not wait for the
 * worker; the worker replays a long one.
 */
import { DEFAULT_POLICY, type MaskPolicy } from '@/lib/core/policy/policy'
import type { Calibration } from '@/lib/core/replay/calibration/fit-calibration'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import {
  type CostTerms,
  type Replay,
  replayPrepared,
  replayUnmasked,
  type UnmaskedReplay,
} from '@/lib/core/replay/replay'
import { type ReplayFigures, replayFigures } from '@/lib/core/replay/replay-figures'
import type { Session } from '@/lib/core/replay/sessions'
import type { Sweep } from '@/lib/core/replay/sweep'
import type { MaskWindow } from '@/lib/core/replay/walk-masked-requests'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import type { LosableUse } from '@/lib/core/uses/lost-uses'
import { type RefetchCosts, refetchCosts } from '@/lib/core/uses/refetch-costs'
import type { Jobs, PreparedReplayWithoutSession, SessionInput } from '@/lib/worker/jobs'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { familyOf } from './chosen-model'
import { costTermsOf } from './cost-terms'
import { calibratedSessionOf, calibrationOf, sessionIndexOf, sessionOf } from './shown-session'

/** The input of a job, and the key under which its answer is stored. */
export interface PrepareReplayJob {
  readonly key: string
  readonly input: SessionInput
}

interface ReplayJob {
  readonly key: string
  readonly input: Jobs['replay']['input']
}

interface SweepJob {
  readonly key: string
  readonly input: Jobs['sweep']['input']
}

/** Resets the settings that a prepared replay does not depend on, so that a drag does not ask the worker. */
const policyWithoutWindow = (policy: MaskPolicy): MaskPolicy => ({
  ...policy,
  enabled: true,
  windowTurns: DEFAULT_POLICY.windowTurns,
  batchTurns: DEFAULT_POLICY.batchTurns,
})

const prepareReplayJob = memoize(
  (
    document: number,
    session: number,
    policy: MaskPolicy,
    encoding: EncodingId,
    calibration: Calibration | undefined,
  ): PrepareReplayJob => ({
    key: JSON.stringify([document, session, policyWithoutWindow(policy), encoding, calibration]),
    input: { document, session, policy: policyWithoutWindow(policy), calibration },
  }),
)

/** The job that prepares the replay of the current policy; undefined until the document is counted. */
export function prepareReplayJobOf(state: PlaygroundState): PrepareReplayJob | undefined {
  const session = sessionIndexOf(state)
  if (state.read === undefined || session === undefined) return undefined
  const { encoding } = familyOf(state)
  const { id } = state.read.source
  return prepareReplayJob(id, session, state.policy, encoding, calibrationOf(state))
}

const losableUsesJob = memoize(({ key, input }: PrepareReplayJob) => ({
  key: `losable ${key}`,
  input,
}))

/** The job that finds the uses some window loses; undefined until the document is counted. */
export function losableUsesJobOf(state: PlaygroundState) {
  const job = prepareReplayJobOf(state)
  return job && losableUsesJob(job)
}

/** The uses that some window loses under the rest of the policy; undefined until the worker answers. */
export function losableUsesOf(state: PlaygroundState): readonly LosableUse[] | undefined {
  const { losableUses } = state
  return losableUses !== undefined && losableUses.key === losableUsesJobOf(state)?.key
    ? losableUses.answer
    : undefined
}

const sweepJob = memoize(
  (prepareJob: PrepareReplayJob, terms: CostTerms): SweepJob => ({
    key: `${prepareJob.key} ${JSON.stringify(terms)}`,
    input: { ...prepareJob.input, terms },
  }),
)

/** The job that sweeps all windows and batches; undefined until the document is counted and the prices are loaded. */
export function sweepJobOf(state: PlaygroundState): SweepJob | undefined {
  const prepareJob = prepareReplayJobOf(state)
  const terms = costTermsOf(state)?.terms
  return prepareJob && terms && sweepJob(prepareJob, terms)
}

/** A longer session takes more than two or three milliseconds. */
const MOST_REQUESTS_ON_PAGE = 300

const windowOf = memoize(
  (enabled: boolean, windowTurns: number, batchTurns: number): MaskWindow => ({
    windowTurns: enabled ? windowTurns : 0,
    batchTurns,
  }),
)

/** The window in use; 0 turns if masking is off. */
function maskWindowOf({ policy: { enabled, windowTurns, batchTurns } }: PlaygroundState) {
  return windowOf(enabled, windowTurns, batchTurns)
}

const replayJob = memoize(
  (
    { key, input }: SweepJob,
    window: MaskWindow,
    request: number | undefined,
    hasLosses: boolean,
  ): ReplayJob => ({
    key: `${key} ${JSON.stringify([window, request])}`,
    input: { ...input, window, request, hasLosses },
  }),
)

/** The job that replays a long session; undefined for one that the page replays, or until the prices are loaded. */
export function replayJobOf(state: PlaygroundState): ReplayJob | undefined {
  const requests = sessionOf(state)?.requests.length ?? 0
  const job = requests > MOST_REQUESTS_ON_PAGE ? sweepJobOf(state) : undefined
  return (
    job && replayJob(job, maskWindowOf(state), state.request, losableUsesOf(state) !== undefined)
  )
}

const withSession = memoize(
  (session: Session, preparedReplay: PreparedReplayWithoutSession): PreparedReplay => ({
    session,
    ...preparedReplay,
  }),
)

/** The prepared replay of the current policy; undefined until the worker answers. */
export function preparedReplayOf(state: PlaygroundState): PreparedReplay | undefined {
  const session = calibratedSessionOf(state)
  const { preparedReplay } = state
  if (session === undefined || preparedReplay === undefined) return undefined
  if (preparedReplay.key !== prepareReplayJobOf(state)?.key) return undefined
  return withSession(session, preparedReplay.answer)
}

const before = memoize((preparedReplay: PreparedReplay, terms: CostTerms) =>
  replayUnmasked(preparedReplay, terms),
)

const replayed = memoize(
  (
    preparedReplay: PreparedReplay,
    terms: CostTerms,
    unmasked: UnmaskedReplay,
    window: MaskWindow,
  ): Replay => replayPrepared(preparedReplay, window, terms, unmasked),
)

/** The session replayed without masking; undefined until it is prepared and the prices are loaded. */
export function unmaskedReplayOf(state: PlaygroundState): UnmaskedReplay | undefined {
  const preparedReplay = preparedReplayOf(state)
  const terms = costTermsOf(state)?.terms
  return preparedReplay && terms && before(preparedReplay, terms)
}

/**
 * The session replayed under the current policy, request by request; undefined until it is prepared and the prices are
 * loaded. It blocks the page for long sessions, so what is always in view uses `figuresOf`.
 */
export function replayOf(state: PlaygroundState): Replay | undefined {
  const preparedReplay = preparedReplayOf(state)
  const terms = costTermsOf(state)?.terms
  const unmasked = unmaskedReplayOf(state)
  if (preparedReplay === undefined || terms === undefined || unmasked === undefined)
    return undefined
  return replayed(preparedReplay, terms, unmasked, maskWindowOf(state))
}

const rememberedFigures = memoize(replayFigures)

/** The figures of the session under the current policy; undefined until it is replayed, by the page or the worker. */
export function figuresOf(state: PlaygroundState): ReplayFigures | undefined {
  if (replayJobOf(state) !== undefined) return workerReplayOf(state)?.figures
  const replay = replayOf(state)
  return replay && rememberedFigures(replay, state.request)
}

function workerReplayOf(state: PlaygroundState): Jobs['replay']['output'] | undefined {
  const { replayFigures: known } = state
  return known?.key === replayJobOf(state)?.key ? known?.answer : undefined
}

const refetched = memoize(
  (prepared: PreparedReplay, losable: readonly LosableUse[], terms: CostTerms) =>
    refetchCosts(prepared, losable, terms),
)

const refetchedAt = memoize((costsAt: ReturnType<typeof refetchCosts>, window: MaskWindow) =>
  costsAt(window),
)

/** What it costs to fetch again what the current policy loses; undefined until that is known. */
export function refetchedOf(state: PlaygroundState): RefetchCosts | undefined {
  if (replayJobOf(state) !== undefined) return workerReplayOf(state)?.refetched
  const prepared = preparedReplayOf(state)
  const losable = losableUsesOf(state)
  const terms = costTermsOf(state)?.terms
  if (prepared === undefined || losable === undefined || terms === undefined) return undefined
  return refetchedAt(refetched(prepared, losable, terms), maskWindowOf(state))
}

/** The sweep over every window and batch; undefined until the worker answers. */
export function sweepOf(state: PlaygroundState): Sweep | undefined {
  const { sweep } = state
  return sweep !== undefined && sweep.key === sweepJobOf(state)?.key ? sweep.answer : undefined
}
