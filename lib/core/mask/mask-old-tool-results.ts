import { readChatMessage } from '../conversation/chat-message'
import { countedTexts, NO_MESSAGE } from '../conversation/link-messages'
import { type Decision, decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { countTextsTokens } from '../tokens/count-conversation'
import { countRequestTokens } from '../tokens/message-tokens'
import { type ChatResult, linkChatResults } from './link-chat-results'

/** Counts the tokens of a text under the caller's encoding. */
export type TokenCounter = (text: string) => number

/**
 * Schema 1 observation masking of chat-completions messages: pure and synchronous.
 * Returns the same array if the policy is off, otherwise a new array of the same length and order. Only the `content` of
 * masked results differs. The input is never mutated; other messages are the same objects.
 * Throws a `RangeError` if `countTokens` is missing and `neverGrow`, `triggerTokens` or `{original_tokens}` needs it.
 */
export function maskOldToolResults<Message>(
  messages: readonly Message[],
  policy: MaskPolicy,
  countTokens?: TokenCounter,
): readonly Message[] {
  if (!policy.enabled || policy.windowTurns <= 0) return messages
  const masked = [...messages]
  const { results, decisions } = decideChat(messages, policy, countTokens)
  for (const [index, { placeholder }] of decisions.entries()) {
    if (placeholder === undefined) continue
    const result = results[index] as ChatResult
    const { message } = result
    result.setPlaceholder(policy.placeholderTemplate, placeholder)
    masked[message] = withContent(messages[message] as Message, placeholder)
  }
  return masked
}

/** A decision for one result of chat-completions messages. */
export interface DecidedMessage {
  /** Index of the result's message. */
  readonly message: number
  readonly turn: number | undefined
  readonly decision: Decision
}

/** The decisions that `maskOldToolResults` applies, in the order of the results. */
export function decideMessages(
  messages: readonly unknown[],
  policy: MaskPolicy,
  countTokens?: TokenCounter,
): DecidedMessage[] {
  const { results, decisions } = decideChat(messages, policy, countTokens)
  return results.map(({ message, turn }, index) => {
    return { message, turn, decision: decisions[index] as Decision }
  })
}

function decideChat(
  messages: readonly unknown[],
  policy: MaskPolicy,
  countTokens: TokenCounter | undefined,
): { readonly results: readonly ChatResult[]; readonly decisions: readonly Decision[] } {
  const chat = linkChatResults(messages, policy.linkByOrder)
  const { results } = chat
  const { placeholderTemplate: template } = policy
  const isRepeatable = !/\{(?:tool_arguments|original_tokens)\}/.test(template)
  const resultAt = (index: number) => results[index] as ChatResult
  const textsOf = (index: number): readonly string[] => resultAt(index).texts
  const decisions = decide(chat, policy, {
    textOf: (index) => textsOf(index).join(''),
    // Parts are sent separately; joined they can have fewer tokens.
    tokensOf: countTokens && ((index) => countTextsTokens(textsOf(index), countTokens)),
    placeholderTokensOf: countTokens && ((_, placeholder) => countTokens(placeholder)),
    requestTokens:
      countTokens && policy.triggerTokens > 0
        ? countMessages(messages, '', countTokens)
        : undefined,
    knownPlaceholder: isRepeatable ? (index) => resultAt(index).placeholderOf(template) : undefined,
  })
  return { results, decisions }
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
