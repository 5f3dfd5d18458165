import type { Conversation } from '@/lib/core/conversation/conversation'
import { remembered } from './remembered'
import { unansweredCalls } from './result-groups'

export type FindingKind =
  | 'orphans'
  | 'no_call_id'
  | 'unanswered'
  | 'reused_ids'
  | 'non_text'
  | 'repeated'

/** Something about a conversation that masking leaves alone or takes along, or that a provider may refuse. */
export interface Finding {
  readonly kind: FindingKind
  readonly count: number
  /** The messages it is found in, in order. */
  readonly messages: readonly number[]
}

/** What is odd about a conversation, each kind once; empty when nothing is. */
export const conversationFindings = remembered((conversation: Conversation): readonly Finding[] => {
  const { calls, results, messages } = conversation
  const orphans = results.filter(({ callId, turn }) => callId !== undefined && turn === undefined)
  const withoutId = results.filter(({ callId }) => callId === undefined)
  const unanswered = unansweredCalls(conversation).map((index) => calls[index]?.message ?? 0)
  const reused = reusedIds(conversation)
  const nonText = messages.flatMap(({ nonTextParts }, index) => (nonTextParts > 0 ? [index] : []))
  const nonTextParts = messages.reduce((total, message) => total + message.nonTextParts, 0)
  const repeated = results.filter(({ twins }) => twins > 0)
  const all: Finding[] = [
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
})

function finding(kind: FindingKind, messages: readonly number[], count = messages.length): Finding {
  return { kind, count, messages: [...new Set(messages)] }
}

/** Messages whose calls bear an id an earlier call bore. */
function reusedIds({ calls }: Conversation): number[] {
  const seen = new Set<string>()
  return calls.flatMap(({ id, message }) => {
    if (id === undefined) return []
    if (seen.has(id)) return [message]
    seen.add(id)
    return []
  })
}
