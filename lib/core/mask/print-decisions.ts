import type { Conversation } from '../conversation/conversation'
import { countCodePoints } from '../conversation/count-code-points'
import type { Decision } from '../policy/decide'

/** One tool result of a document as fixtures and the command line print it. */
export interface PrintedDecision {
  /** Index of the conversation in the document, and of the message in it, from 0. */
  readonly conversation: number
  readonly message: number
  readonly tool_call_id: string | null
  /** Null when no call answers to the id, or the call has no name. */
  readonly tool: string | null
  /** Number of the tool turn, from 1; null for a result that belongs to none. */
  readonly turn: number | null
  readonly action: 'mask' | 'keep'
  readonly reason: string
  /** Unicode code points of the result's text before and after. */
  readonly chars_before: number
  readonly chars_after: number
}

/** Every result of a document with what was decided on it; decisions by conversation and result. */
export function printDecisions(
  conversations: readonly Pick<Conversation, 'results'>[],
  decisions: readonly (readonly Decision[])[],
): PrintedDecision[] {
  return conversations.flatMap(({ results }, conversation) =>
    results.map((result, index): PrintedDecision => {
      const decision = decisions[conversation]?.[index]
      if (decision === undefined) throw new RangeError(`No decision for result ${index}.`)
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
