/** Compares the current policy (B) with the pinned one (A), on the next request and on the session. */
import type { RequestMeasure } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import { isSameSetting, type MaskPolicy } from '@/lib/core/policy/policy'
import { POLICY_FIELDS, type PolicyField } from '@/lib/core/policy/policy-fields'
import type { ReplaySide } from '@/lib/core/replay/replay'
import type { Jobs } from '@/lib/worker/jobs'
import { measureOf } from '../costs/request-view'
import {
  figuresOf,
  type PrepareReplayJob,
  prepareReplayJobOf,
  replayOf,
} from '../costs/session-replay'
import { decisionsOf } from '../document/selectors'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'

const asPinned = memoize(
  (
    state: PlaygroundState,
    policy: MaskPolicy,
    pinnedAnswers: PlaygroundState['pinnedAnswers'],
  ): PlaygroundState => {
    const isSameTemplate = policy.placeholderTemplate === state.policy.placeholderTemplate
    const placeholders = isSameTemplate ? state.placeholders : pinnedAnswers.placeholders
    const pinned = { ...state, policy, placeholders }
    const isSamePreparedReplay = prepareReplayJobOf(pinned)?.key === state.preparedReplay?.key
    return {
      ...pinned,
      preparedReplay: isSamePreparedReplay ? state.preparedReplay : pinnedAnswers.preparedReplay,
    }
  },
)

/** The state with A as the current policy; undefined if none is pinned. */
export function pinnedStateOf(state: PlaygroundState): PlaygroundState | undefined {
  return state.pinned && asPinned(state, state.pinned, state.pinnedAnswers)
}

/** Worker jobs that A needs in addition to those of the current policy. */
export function pinnedJobsOf(state: PlaygroundState): {
  readonly placeholders: Jobs['countPlaceholders']['input'] | undefined
  readonly prepareReplay: PrepareReplayJob | undefined
} {
  const pinned = pinnedStateOf(state)
  const document = state.read?.source.id
  if (pinned === undefined || document === undefined)
    return { placeholders: undefined, prepareReplay: undefined }
  const template = pinned.policy.placeholderTemplate
  const { placeholders } = pinned
  const hasPlaceholders = placeholders?.source === document && placeholders.template === template
  const prepareReplay = prepareReplayJobOf(pinned)
  return {
    placeholders: hasPlaceholders ? undefined : { document, template },
    prepareReplay:
      prepareReplay === undefined || pinned.preparedReplay?.key === prepareReplay.key
        ? undefined
        : prepareReplay,
  }
}

export interface ComparedSide {
  readonly policy: MaskPolicy
  /** Undefined until everything is counted. */
  readonly measure: RequestMeasure | undefined
  /** The session after masking; undefined until it is replayed. */
  readonly session: ReplaySide | undefined
}

/** A result that A and B decide differently, or mask with different placeholders. */
export interface DifferingResult {
  /** Index of the result. */
  readonly result: number
  readonly a: Decision
  readonly b: Decision
}

export interface Comparison {
  readonly a: ComparedSide
  readonly b: ComparedSide
  readonly fields: readonly PolicyField[]
  /** Undefined until both are decided. */
  readonly differing: readonly DifferingResult[] | undefined
}

const differingResults = memoize(
  (a: readonly Decision[], b: readonly Decision[]): readonly DifferingResult[] =>
    a.flatMap((decision, result) => {
      const other = b[result] as Decision
      const isSame = decision.action === other.action && decision.placeholder === other.placeholder
      return isSame ? [] : [{ result, a: decision, b: other }]
    }),
)

const differingFields = memoize((a: MaskPolicy, b: MaskPolicy): readonly PolicyField[] =>
  POLICY_FIELDS.filter(({ key }) => !isSameSetting(a[key], b[key])),
)

const compared = memoize((a: PlaygroundState, b: PlaygroundState): Comparison => {
  const [first, second] = [a, b].map((state) => decisionsOf(state)?.[state.conversation])
  return {
    // The pinned policy is replayed once, on the page.
    a: { ...sideOf(a), session: replayOf(a)?.after },
    b: { ...sideOf(b), session: figuresOf(b)?.after },
    fields: differingFields(a.policy, b.policy),
    differing: first && second && differingResults(first, second),
  }
})

function sideOf(state: PlaygroundState): Omit<ComparedSide, 'session'> {
  return { policy: state.policy, measure: measureOf(state) }
}

/** Undefined if no policy is pinned. */
export function comparisonOf(state: PlaygroundState): Comparison | undefined {
  const pinned = pinnedStateOf(state)
  return pinned && compared(pinned, state)
}
