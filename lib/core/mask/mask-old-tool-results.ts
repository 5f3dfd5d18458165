import { readChatMessage } from '../conversation/chat-message'
import { countedTexts, NO_MESSAGE } from '../conversation/link-messages'
import type { PolicyOfModel } from '../policy/break-even'
import type { Decision } from '../policy/decide'
import { countRequestTokens } from '../tokens/count-conversation'
import { decideByTexts, type TokenCounter } from './decide-by-texts'
import { type ChatResults, linkChatResults } from './link-chat-results'

/**
 * Schema 1 observation masking of chat-completions messages: pure and synchronous.
 * Returns the same array if the policy is off, otherwise a new array of the same length and order. Only the `content` of
 * masked results differs. The input is never mutated; other messages are the same objects.
 * Throws a `RangeError` if `countTokens` is missing and `neverGrow`, `triggerTokens` or `{original_tokens}` needs it.
 */
export function maskOldToolResults<Message>(
  messages: readonly Message[],
  policy: PolicyOfModel,
  countTokens?: TokenCounter,
): readonly Message[] {
  if (!policy.enabled || policy.windowTurns <= 0) return messages
  const masked = [...messages]
  for (const { message, decision } of decideMessages(messages, policy, countTokens)) {
    const { placeholder } = decision
    if (placeholder !== undefined)
      masked[message] = withContent(messages[message] as Message, placeholder)
  }
  return masked
}

/** The decisions that `maskOldToolResults` applies, in the order of the results, with the index of their message. */
export function decideMessages(
  messages: readonly unknown[],
  policy: PolicyOfModel,
  countTokens?: TokenCounter,
) {
  const linked = linkChatResults(messages, policy)
  const textsOf = (index: number) => (linked.results[index] as ChatResults['results'][number]).texts
  const decisions = decideByTexts(linked, policy, textsOf, countTokens, (count) =>
    countMessages(messages, '', count),
  )
  return linked.results.map(({ message, turn }, index) => ({
    message,
    turn,
    decision: decisions[index] as Decision,
  }))
}

/** Tokens of a request with these messages. */
export function countMessages(
  messages: readonly unknown[],
  toolSchemas: string,
  countTokens: TokenCounter,
): number {
  const texts = messages.map((message) => countedTexts(readChatMessage(message) ?? NO_MESSAGE))
  return countRequestTokens(texts, toolSchemas, countTokens)
}

/** Replaces a string with the placeholder. Of a list, the first part gets the placeholder and the others become empty. */
function withContent<Message>(message: Message, placeholder: string): Message {
  const { content } = message as { content: unknown }
  if (!Array.isArray(content)) return { ...message, content: placeholder }
  const parts = content.map((part: object, at) => ({ ...part, text: at === 0 ? placeholder : '' }))
  return { ...message, content: parts }
}
