/** The policy set, B, against the one pinned, A: on the request about to be sent and on the whole session. */
import type { RequestMeasure } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import { isSameSetting, type MaskPolicy } from '@/lib/core/policy/policy'
import { POLICY_FIELDS, type PolicyField } from '@/lib/core/policy/policy-fields'
import type { Replay } from '@/lib/core/replay/replay'
import type { Job } from '@/lib/worker/protocol'
import { remembered } from './remembered'
import { factsQuestionOf, type Question, replayOf } from './savings'
import { decisionsOf, measureOf } from './selectors'
import type { PlaygroundState } from './store'

const asPinned = remembered(
  (
    state: PlaygroundState,
    policy: MaskPolicy,
    pinnedAnswers: PlaygroundState['pinnedAnswers'],
  ): PlaygroundState => {
    const isSameTemplate = policy.placeholderTemplate === state.policy.placeholderTemplate
    const placeholders = isSameTemplate ? state.placeholders : pinnedAnswers.placeholders
    const pinned = { ...state, policy, placeholders }
    const isSameFacts = factsQuestionOf(pinned)?.key === state.facts?.key
    return { ...pinned, facts: isSameFacts ? state.facts : pinnedAnswers.facts }
  },
)

/** The state as it would be were A the policy set; undefined when none is pinned. */
export function pinnedStateOf(state: PlaygroundState): PlaygroundState | undefined {
  return state.pinned && asPinned(state, state.pinned, state.pinnedAnswers)
}

/** What the worker is to be asked for A and is not asked for the policy set anyway. */
export function pinnedQuestionsOf(state: PlaygroundState): {
  readonly placeholders: Extract<Job, { readonly kind: 'count_placeholders' }> | undefined
  readonly facts: Question<Job> | undefined
} {
  const pinned = pinnedStateOf(state)
  const document = state.read?.source.id
  if (pinned === undefined || document === undefined)
    return { placeholders: undefined, facts: undefined }
  const template = pinned.policy.placeholderTemplate
  const { placeholders } = pinned
  const hasPlaceholders = placeholders?.source === document && placeholders.template === template
  const facts = factsQuestionOf(pinned)
  return {
    placeholders: hasPlaceholders ? undefined : { kind: 'count_placeholders', document, template },
    facts: facts === undefined || pinned.facts?.key === facts.key ? undefined : facts,
  }
}

export interface ComparedSide {
  readonly policy: MaskPolicy
  /** Undefined until everything it needs is counted. */
  readonly measure: RequestMeasure | undefined
  readonly replay: Replay | undefined
}

/** A result of the conversation shown that one keeps and the other masks, or masks with another text. */
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

const differingResults = remembered(
  (a: readonly Decision[], b: readonly Decision[]): readonly DifferingResult[] =>
    a.flatMap((decision, result) => {
      const other = b[result] as Decision
      const isSame = decision.action === other.action && decision.placeholder === other.placeholder
      return isSame ? [] : [{ result, a: decision, b: other }]
    }),
)

const differingFields = remembered((a: MaskPolicy, b: MaskPolicy): readonly PolicyField[] =>
  POLICY_FIELDS.filter(({ key }) => !isSameSetting(a[key], b[key])),
)

const compared = remembered((a: PlaygroundState, b: PlaygroundState): Comparison => {
  const [first, second] = [a, b].map((state) => decisionsOf(state)?.[state.conversation])
  return {
    a: sideOf(a),
    b: sideOf(b),
    fields: differingFields(a.policy, b.policy),
    differing: first && second && differingResults(first, second),
  }
})

function sideOf(state: PlaygroundState): ComparedSide {
  return { policy: state.policy, measure: measureOf(state), replay: replayOf(state) }
}

/** The comparison of the policy set with the one pinned; undefined when none is. */
export function comparisonOf(state: PlaygroundState): Comparison | undefined {
  const pinned = pinnedStateOf(state)
  return pinned && compared(pinned, state)
}
