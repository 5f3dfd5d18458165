import type { Conversation } from '../conversation/conversation'
import { countCodePoints } from '../conversation/count-code-points'
import type { Decision } from '../policy/decide'

/** One tool result, as fixtures and the command line print it. */
export interface PrintedDecision {
  /** Indices of the conversation in the document and of the message in the conversation, from 0. */
  readonly conversation: number
  readonly message: number
  readonly tool_call_id: string | null
  /** Null if no call has the id, or the call has no name. */
  readonly tool: string | null
  /** Number of the tool turn, from 1; null for a result without a turn. */
  readonly turn: number | null
  readonly action: 'mask' | 'keep'
  readonly reason: string
  /** Unicode code points of the result before and after masking. */
  readonly chars_before: number
  readonly chars_after: number
}

/** Every result of a document with its decision. Decisions are by conversation and result. */
export function printDecisions(
  conversations: readonly Pick<Conversation, 'results'>[],
  decisions: readonly (readonly Decision[])[],
): PrintedDecision[] {
  return conversations.flatMap(({ results }, conversation) =>
    results.map((result, index): PrintedDecision => {
      const decision = (decisions[conversation] as readonly Decision[])[index] as Decision
      const { placeholder } = decision
      return {
        conversation,
        message: result.message,
        tool_call_id: result.callId ?? null,
        tool: result.toolName ?? null,
        turn: result.turn === undefined ? null : result.turn + 1,
        action: decision.action,
        reason: decision.reason,
        chars_before: result.chars,
        chars_after: placeholder === undefined ? result.chars : countCodePoints(placeholder),
      }
    }),
  )
}
