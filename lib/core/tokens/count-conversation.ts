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

/** Counts a conversation whole. */
export function countConversation(
  conversation: ReadConversation,
  countTokens: (text: string) => number,
): ConversationCounts {
  const steps = countConversationInSteps(conversation, countTokens)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Counts a conversation message by message; yields the characters each took, returns the counts. */
export function* countConversationInSteps(
  conversation: ReadConversation,
  countTokens: (text: string) => number,
): Generator<number, ConversationCounts, void> {
  const messages: number[] = []
  for (const [index, texts] of conversation.messageTexts.entries()) {
    messages.push(countMessageTokens(texts, countTokens))
    yield conversation.messages[index]?.chars ?? 0
  }
  const results = conversation.resultTexts.map((texts) => countTextsTokens(texts, countTokens))
  return {
    messages,
    results,
    perRequest: TOKENS_PER_REQUEST + countTokens(conversation.toolSchemas),
  }
}

/** Tokens of a result: of its texts alone. */
export function countTextsTokens(
  texts: readonly string[],
  countTokens: (text: string) => number,
): number {
  return texts.reduce((total, text) => total + countTokens(text), 0)
}

/** Tokens of the request that would be sent next, before masking. */
export function requestTokens(counts: ConversationCounts): number {
  return counts.messages.reduce((total, tokens) => total + tokens, counts.perRequest)
}

/** The facts alone, without texts: what crosses from a worker to a page. */
export function withoutTexts(conversation: ReadConversation): Conversation {
  const {
    messageTexts: _,
    callArguments: __,
    resultTexts: ___,
    toolSchemas: ____,
    ...facts
  } = conversation
  return facts
}
