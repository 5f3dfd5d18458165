import type { Conversation } from '@/lib/core/conversation/conversation'
import { memoize } from '../memoize'
import { unansweredCalls } from './result-groups'

export type ConversationFindingKind =
  | 'orphans'
  | 'no_call_id'
  | 'unanswered'
  | 'reused_ids'
  | 'non_text'
  | 'repeated'

/** Something unusual in a conversation that affects masking or that a provider may refuse. */
export interface ConversationFinding {
  readonly kind: ConversationFindingKind
  readonly count: number
  /** Indices of its messages, in order. */
  readonly messages: readonly number[]
}

/** Lists unusual things in a conversation, each kind once. */
export const conversationFindings = memoize(
  (conversation: Conversation): readonly ConversationFinding[] => {
    const { calls, results, messages } = conversation
    const orphans = results.filter(({ callId, turn }) => callId !== undefined && turn === undefined)
    const withoutId = results.filter(({ callId }) => callId === undefined)
    const unanswered = unansweredCalls(conversation).map((index) => calls[index]?.message ?? 0)
    const reused = reusedIds(conversation)
    const nonText = messages.flatMap(({ nonTextParts }, index) => (nonTextParts > 0 ? [index] : []))
    const nonTextParts = messages.reduce((total, message) => total + message.nonTextParts, 0)
    const repeated = results.filter(({ duplicates }) => duplicates > 0)
    const all: ConversationFinding[] = [
      finding(
        'orphans',
        orphans.map(({ message }) => message),
      ),
      finding(
        'no_call_id',
        withoutId.map(({ message }) => message),
      ),
      finding('unanswered', unanswered),
      finding('reused_ids', reused),
      finding('non_text', nonText, nonTextParts),
      finding(
        'repeated',
        repeated.map(({ message }) => message),
      ),
    ]
    return all.filter(({ count }) => count > 0)
  },
)

function finding(
  kind: ConversationFindingKind,
  messages: readonly number[],
  count = messages.length,
): ConversationFinding {
  return { kind, count, messages: [...new Set(messages)] }
}

/** Messages with a call whose id an earlier call has. */
function reusedIds({ calls }: Conversation): number[] {
  const seen = new Set<string>()
  return calls.flatMap(({ id, message }) => {
    if (id === undefined) return []
    if (seen.has(id)) return [message]
    seen.add(id)
    return []
  })
}
