import type { Conversation } from '@/lib/core/conversation/conversation'
import { type Decision, REASONS, type Reason } from '@/lib/core/policy/decide'
import { shownDecisionsOf } from '../costs/request-view'
import { memoize, select } from '../select'
import type { PlaygroundState } from '../store'
import { conversationOf } from './selectors'

/** Indices of the results with one reason, in conversation order; never empty. */
export interface ResultGroup {
  readonly reason: Reason
  readonly results: readonly number[]
}

/** Display order: masked results first, broken ones last. */
const ORDER: readonly Reason[] = [
  'masked',
  'in_window',
  'kept_error',
  ...REASONS.filter(
    (reason) => !['masked', 'in_window', 'kept_error', 'orphan', 'no_call_id'].includes(reason),
  ),
  'orphan',
  'no_call_id',
]

/** Groups results by reason. */
export function groupResults(decisions: readonly Decision[]): ResultGroup[] {
  const groups = new Map<Reason, number[]>()
  for (const [index, { reason }] of decisions.entries()) {
    const group = groups.get(reason)
    if (group === undefined) groups.set(reason, [index])
    else group.push(index)
  }
  return ORDER.flatMap((reason) => {
    const results = groups.get(reason)
    return results === undefined ? [] : [{ reason, results }]
  })
}

/** Indices of calls with an id that no result answers. */
export const unansweredCalls = memoize(({ calls, results }: Conversation): readonly number[] => {
  const answered = new Set(results.map(({ callId }) => callId))
  return calls.flatMap(({ id }, index) => (id === undefined || answered.has(id) ? [] : [index]))
})

const NO_CALLS: readonly number[] = []

/** Indices of the shown conversation's calls with an id that no result answers. */
export function unansweredCallsOf(state: PlaygroundState): readonly number[] {
  const conversation = conversationOf(state)
  return conversation === undefined ? NO_CALLS : unansweredCalls(conversation)
}

const knownGroupsOf = select(
  [(state) => conversationOf(state) && shownDecisionsOf(state)?.[state.conversation]],
  (decisions) => groupResults(decisions),
)
const NO_GROUPS: readonly ResultGroup[] = []

/** Groups of the shown conversation; empty until it is decided. */
export function resultGroupsOf(state: PlaygroundState): readonly ResultGroup[] {
  return knownGroupsOf(state) ?? NO_GROUPS
}
