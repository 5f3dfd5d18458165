import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import type { Decision, Reason } from '@/lib/core/policy/decide'

/** Kinds of marks on the timeline; `kept` covers all reasons other than the window and errors. */
export const MARK_KINDS = [
  'system',
  'user',
  'assistant',
  'other',
  'in_window',
  'kept',
  'masked',
  'kept_error',
  'broken',
] as const

export type MarkKind = (typeof MARK_KINDS)[number]

export function kindOfReason(reason: Reason): MarkKind {
  switch (reason) {
    case 'masked':
    case 'in_window':
    case 'kept_error':
      return reason
    case 'orphan':
    case 'no_call_id':
      return 'broken'
    case 'disabled':
    case 'below_trigger':
    case 'excluded_tool':
    case 'kept_last_k':
    case 'non_text':
    case 'already_masked':
    case 'would_grow':
      return 'kept'
  }
}

function kindOfRole(role: string): MarkKind {
  switch (role) {
    case 'system':
    case 'developer':
      return 'system'
    case 'user':
      return 'user'
    case 'assistant':
    case 'model':
      return 'assistant'
    default:
      return 'other'
  }
}

/** Kinds by message; a message with results has the kind of its longest result. */
export function markKinds(
  conversation: Conversation,
  decisions: readonly Decision[] | undefined,
): MarkKind[] {
  const kinds = conversation.messages.map(({ role }) => kindOfRole(role))
  const longest = new Map<number, ToolResult>()
  for (const [index, result] of conversation.results.entries()) {
    const known = longest.get(result.message)
    if (known !== undefined && known.length >= result.length) continue
    longest.set(result.message, result)
    const reason = decisions?.[index]?.reason
    kinds[result.message] = reason === undefined ? 'kept' : kindOfReason(reason)
  }
  return kinds
}
