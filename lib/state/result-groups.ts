import type { Conversation } from '@/lib/core/conversation/conversation'
import { type Decision, REASONS, type Reason } from '@/lib/core/policy/decide'
import { remembered } from './remembered'
import { shownDecisionsOf } from './request-view'
import { conversationOf } from './selectors'
import type { PlaygroundState } from './store'

/** Results of one reason, by index, in the order of the conversation; never empty. */
export interface ResultGroup {
  readonly reason: Reason
  readonly results: readonly number[]
}

/** What is shown first is what the policy did; what is broken comes last. */
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

/** The results of a conversation by reason; reasons without results are left out. */
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

/** Indices of calls that bear an id no result answers. */
export const unansweredCalls = remembered(({ calls, results }: Conversation): readonly number[] => {
  const answered = new Set(results.map(({ callId }) => callId))
  return calls.flatMap(({ id }, index) => (id === undefined || answered.has(id) ? [] : [index]))
})

const rememberedGroups = remembered(groupResults)
const NO_GROUPS: readonly ResultGroup[] = []

/** Groups of the conversation shown; empty when nothing was read or decided. */
export function resultGroupsOf(state: PlaygroundState): readonly ResultGroup[] {
  const decisions = conversationOf(state) && shownDecisionsOf(state)?.[state.conversation]
  return decisions === undefined ? NO_GROUPS : rememberedGroups(decisions)
}
