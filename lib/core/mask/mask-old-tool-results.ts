import { readChatMessage } from '../conversation/chat-message'
import { linkMessages, type RawMessage, textsOf } from '../conversation/link-messages'
import { type Decision, decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { countTextsTokens } from '../tokens/count-conversation'
import { countRequestTokens } from '../tokens/message-tokens'

/** Counts the tokens of a text; its encoding is the caller's choice. */
export type TokenCounter = (text: string) => number

const NO_MESSAGE: RawMessage = {
  role: '',
  isAssistant: false,
  name: undefined,
  contents: [],
  reasoning: [],
  nonTextParts: 0,
  calls: [],
  results: [],
}

/**
 * Schema 1 observation masking of chat-completions messages: pure and synchronous.
 * Returns the same array when the policy is off; else a new one of the same length and order in which only `content`
 * of masked `role: "tool"` messages differs. The input is never mutated; unmasked messages are the same objects.
 * `countTokens` is needed by `neverGrow`, `triggerTokens` and `{original_tokens}` only; a `RangeError` says so.
 */
export function maskOldToolResults<Message>(
  messages: readonly Message[],
  policy: MaskPolicy,
  countTokens?: TokenCounter,
): readonly Message[] {
  if (!policy.enabled || policy.windowTurns <= 0) return messages
  const masked = [...messages]
  for (const { message: at, decision } of decideMessages(messages, policy, countTokens)) {
    if (decision.placeholder === undefined) continue
    masked[at] = withContent(messages[at] as Message, decision.placeholder)
  }
  return masked
}

/** What a policy decides on a result of chat-completions messages. */
export interface DecidedMessage {
  /** Index of the message that is the result. */
  readonly message: number
  readonly turn: number | undefined
  readonly decision: Decision
}

/** The decisions `maskOldToolResults` carries out, in the order of the results. */
export function decideMessages(
  messages: readonly unknown[],
  policy: MaskPolicy,
  countTokens?: TokenCounter,
): DecidedMessage[] {
  const raw = messages.map((message) => readChatMessage(message) ?? NO_MESSAGE)
  const linked = linkMessages(raw)
  const textOf = (index: number): string => linked.results[index]?.texts.join('') ?? ''
  const decisions = decide(withoutSlots(linked), policy, {
    textOf,
    // Part by part, as they are sent: the tokens of two parts joined can be fewer.
    tokensOf:
      countTokens && ((index) => countTextsTokens(linked.results[index]?.texts ?? [], countTokens)),
    placeholderTokensOf: countTokens && ((_, placeholder) => countTokens(placeholder)),
    requestTokens:
      countTokens && policy.triggerTokens > 0
        ? countRequestTokens(raw.map(textsOf), '', countTokens)
        : undefined,
  })
  return linked.results.map(({ message, turn }, index) => {
    return { message, turn, decision: decisions[index] as Decision }
  })
}

/** What a request of these messages costs, counted as a document's requests are. */
export function countMessages(
  messages: readonly unknown[],
  toolSchemas: string,
  countTokens: TokenCounter,
): number {
  const texts = messages.map((message) => textsOf(readChatMessage(message) ?? NO_MESSAGE))
  return countRequestTokens(texts, toolSchemas, countTokens)
}

function withoutSlots(linked: ReturnType<typeof linkMessages>) {
  return {
    turnCount: linked.turnCount,
    results: linked.results.map((result) => ({
      ...result,
      slots: [],
      valueAt: undefined,
      twins: 0,
    })),
  }
}

/** The first part takes the placeholder, the others become empty; a string is simply replaced. */
function withContent<Message>(message: Message, placeholder: string): Message {
  const { content } = message as { content: unknown }
  if (!Array.isArray(content)) return { ...message, content: placeholder }
  const parts = content.map((part: object, index) => ({
    ...part,
    text: index === 0 ? placeholder : '',
  }))
  return { ...message, content: parts }
}
