import type { Conversation, ReadConversation } from '../conversation/conversation'
import { countMessageTokens, TOKENS_PER_REQUEST } from './message-tokens'

/** Tokens of everything in a conversation, by index; what totals, replay and sweep are sums of. */
export interface ConversationCounts {
  /** By message, overheads included. */
  readonly messages: readonly number[]
  /** By result: its text alone. */
  readonly results: readonly number[]
  /** Tool schemas and the start of the answer: paid by every request. */
  readonly perRequest: number
}

/** Counts a conversation; `onProgress` is told the number of messages done. */
export function countConversation(
  conversation: ReadConversation,
  countTokens: (text: string) => number,
  onProgress: (messages: number) => void = () => {},
): ConversationCounts {
  const messages = conversation.messageTexts.map((texts, index) => {
    const tokens = countMessageTokens(texts, countTokens)
    onProgress(index + 1)
    return tokens
  })
  const results = conversation.resultTexts.map((texts) =>
    texts.reduce((total, text) => total + countTokens(text), 0),
  )
  return {
    messages,
    results,
    perRequest: TOKENS_PER_REQUEST + countTokens(conversation.toolSchemas),
  }
}

/** Tokens of the request that would be sent next, before masking. */
export function requestTokens(counts: ConversationCounts): number {
  return counts.messages.reduce((total, tokens) => total + tokens, counts.perRequest)
}

/** The facts alone, without texts: what crosses from a worker to a page. */
export function withoutTexts(conversation: ReadConversation): Conversation {
  const { messageTexts: _, resultTexts: __, toolSchemas: ___, ...facts } = conversation
  return facts
}
