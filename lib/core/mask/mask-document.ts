import type { Conversation, ReadConversation, ToolResult } from '../conversation/conversation'
import type { PolicyOfModel, WindowStep } from '../policy/break-even'
import type { Decision } from '../policy/decide'
import { writeEmbeddedString } from '../text/embedded-json'
import { applyEdits, countCodePoints, type Edit } from '../text/span'
import { countRequestTokens } from '../tokens/count-conversation'
import { decideByTexts, type TokenCounter } from './decide-by-texts'

/** The source text with masked strings replaced, and nothing else; its edits; and decisions by conversation and result. */
export type MaskedDocument = Readonly<ReturnType<typeof maskDocument>>

/** Applies a policy to every conversation of a document. `countTokens` is needed as in `maskOldToolResults`. */
export function maskDocument(
  document: { readonly text: string; readonly conversations: readonly ReadConversation[] },
  policy: PolicyOfModel,
  countTokens?: (text: string) => number,
) {
  const decisions = document.conversations.map((conversation) =>
    decideConversation(conversation, policy, countTokens),
  )
  const edits = maskEdits(document.conversations, decisions)
  return { text: applyEdits(document.text, edits), edits, decisions }
}

/** Decides every result of a conversation that was read with its texts. */
export function decideConversation(
  conversation: ReadConversation,
  policy: PolicyOfModel,
  countTokens: ((text: string) => number) | undefined,
  onStep?: (last: WindowStep | undefined) => void,
): Decision[] {
  const { resultTexts, messageTexts, toolSchemas } = conversation
  const textsOf = (index: number) => resultTexts[index] as readonly string[]
  const requestTokens = (count: TokenCounter, end?: number) =>
    countRequestTokens(messageTexts.slice(0, end), toolSchemas, count)
  return decideByTexts(conversation, policy, textsOf, countTokens, requestTokens, onStep)
}

/** An edit, and the number of JSON strings around its place. */
export interface MaskEdit extends Edit {
  readonly encoded: number
}

/** The edits that apply one decision: each string becomes the placeholder or the filler of its span. */
export function editsOfResult(result: Pick<ToolResult, 'spans'>, decision: Decision): MaskEdit[] {
  const { placeholder } = decision
  if (placeholder === undefined) return []
  return result.spans.map(({ start, end, encoded, filler }) => ({
    start,
    end,
    encoded,
    text: writeEmbeddedString(filler ?? placeholder, encoded),
  }))
}

/** The edits that mask a document, in ascending order. Decisions are by conversation and result and can be missing. */
export function maskEdits(
  conversations: readonly Pick<Conversation, 'results'>[],
  decisions: readonly (readonly Decision[])[],
): MaskEdit[] {
  const edits = conversations.flatMap(({ results }, at) =>
    results.flatMap((result, index) => {
      const decision = decisions[at]?.[index]
      return decision === undefined ? [] : editsOfResult(result, decision)
    }),
  )
  return edits.sort((a, b) => a.start - b.start)
}

/** Every result of a document with its decision, as the command line prints it. Decisions are by conversation and result. */
export function printDecisions(
  conversations: readonly Pick<Conversation, 'results'>[],
  decisions: readonly (readonly Decision[])[],
) {
  return conversations.flatMap(({ results }, conversation) =>
    results.map((result, index) => {
      const decision = (decisions[conversation] as readonly Decision[])[index] as Decision
      const { placeholder } = decision
      return {
        /** Indices of the conversation in the document and of the message in the conversation, from 0. */
        conversation,
        message: result.message,
        tool_call_id: result.callId ?? null,
        /** Null if no call has the id, or the call has no name. */
        tool: result.toolName ?? null,
        /** Number of the tool turn, from 1; null for a result without a turn. */
        turn: result.turn === undefined ? null : result.turn + 1,
        action: decision.action,
        reason: decision.reason,
        /** Unicode code points of the result before and after masking. */
        chars_before: result.chars,
        chars_after: placeholder === undefined ? result.chars : countCodePoints(placeholder),
      }
    }),
  )
}
