/** Calls issued again with the same arguments after their result was masked, or would have been. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import { type Decision, firstKeptTurn } from '@/lib/core/policy/decide'
import { conversationOf } from '../document/selectors'
import { loopReportOf } from '../loop/repeated-calls'
import { decisionsOf } from '../policy/policy-view'
import { memoize } from '../select'
import type { PlaygroundState } from '../store'

const repeated = memoize(
  (
    { calls, results }: Conversation,
    { repeats }: RepeatedCallsReport,
    decisions: readonly Decision[],
    windowTurns: number,
    batchTurns: number,
  ): readonly number[] => {
    const masked = new Set<string | undefined>()
    for (const [at, { callId }] of results.entries())
      if (decisions[at]?.action === 'mask') masked.add(callId)
    const messages = repeats.flatMap(({ call, earlier }) => {
      const [again, first] = [calls[call], calls[earlier]]
      if (again?.turn === undefined || first?.turn === undefined || !masked.has(first.id)) return []
      // The request of a turn has the turns before it.
      const isMasked = first.turn < firstKeptTurn(again.turn, { windowTurns, batchTurns })
      return isMasked ? [again.message] : []
    })
    return [...new Set(messages)]
  },
)

/** The messages of these calls; undefined until repeated calls are found. */
export function repeatedAfterMaskingOf(state: PlaygroundState): readonly number[] | undefined {
  const conversation = conversationOf(state)
  const report = loopReportOf(state)
  const decisions = decisionsOf(state)?.[state.conversation]
  const { windowTurns, batchTurns } = state.policy
  return (
    conversation &&
    report &&
    decisions &&
    repeated(conversation, report, decisions, windowTurns, batchTurns)
  )
}
