import { readChatMessage } from '../conversation/chat-message'
import { countedTexts, NO_MESSAGE } from '../conversation/link-messages'
import type { PolicyOfModel } from '../policy/break-even'
import { type Decision, decide } from '../policy/decide'
import { countRequestTokens, countTextsTokens } from '../tokens/count-conversation'
import { type ChatResults, linkChatResults } from './link-chat-results'

/** Counts the tokens of a text under the caller's encoding. */
export type TokenCounter = (text: string) => number

/** Decides every result by its texts. `requestTokens` is called if the policy needs it, with the counter. */
export function decideByTexts(
  linked: Parameters<typeof decide>[0],
  policy: PolicyOfModel,
  textsOf: (result: number) => readonly string[],
  countTokens: TokenCounter | undefined,
  requestTokens: (countTokens: TokenCounter, end?: number) => number,
  onStep?: Parameters<typeof decide>[2]['onStep'],
): Decision[] {
  return decide(linked, policy, {
    onStep,
    textOf: (index) => textsOf(index).join(''),
    // Parts are sent separately; joined they can have fewer tokens.
    tokensOf: countTokens && ((index) => countTextsTokens(textsOf(index), countTokens)),
    placeholderTokensOf: countTokens && ((_, placeholder) => countTokens(placeholder)),
    requestTokens: countTokens && ((end) => requestTokens(countTokens, end)),
  })
}

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
  const parts = content.map((part: object, index) => ({
    ...part,
    text: index === 0 ? placeholder : '',
  }))
  return { ...message, content: parts }
}
