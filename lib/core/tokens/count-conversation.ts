import type {
  Conversation,
  Message,
  MessageTexts,
  ReadConversation,
} from '../conversation/conversation'
import { resultOf, type Steps } from '../steps'

/** Tokens of the parts of a conversation. Totals, replay and sweep are sums of these. */
export interface ConversationCounts {
  /** By message, including overheads. */
  readonly messages: readonly number[]
  /** By result, its text only. */
  readonly results: readonly number[]
  /** Tool schemas and the start of the answer, which every request contains. */
  readonly perRequest: number
}

/** Tokens of `[Old tool result content cleared]`, which Claude Code and opencode send for a result that they cleared. */
export const CLEARED_TOKENS = 7

export function countConversation(
  conversation: ReadConversation,
  countTokens: (text: string) => number,
): ConversationCounts {
  return resultOf(countConversationInSteps(conversation, countTokens))
}

/** Counts a conversation message by message. Yields the characters of each message and returns the counts. */
export function* countConversationInSteps(
  conversation: ReadConversation,
  countTokens: (text: string) => number,
): Steps<ConversationCounts> {
  const messages: number[] = []
  for (const [index, texts] of conversation.messageTexts.entries()) {
    messages.push(countMessageTokens(texts, countTokens))
    yield (conversation.messages[index] as Message).chars
  }
  const results = conversation.resultTexts.map((texts) => countTextsTokens(texts, countTokens))
  const perRequest = TOKENS_PER_REQUEST + countTokens(conversation.toolSchemas)
  return { messages, results, perRequest }
}

/** Tokens of several texts. */
export function countTextsTokens(texts: readonly string[], countTokens: (text: string) => number) {
  return texts.reduce((total, text) => total + countTokens(text), 0)
}

/** The counts of the first messages and results of a conversation. */
export function countsUntil(
  counts: ConversationCounts,
  messages: number,
  results: number,
): ConversationCounts {
  return {
    ...counts,
    messages: counts.messages.slice(0, messages),
    results: counts.results.slice(0, results),
  }
}

/** Tokens of the next request, or of one that ends before a message; before masking. */
export function requestTokens(counts: ConversationCounts, end?: number): number {
  return counts.messages.slice(0, end).reduce((total, tokens) => total + tokens, counts.perRequest)
}

/** A conversation without its texts, as a worker sends it to the page. */
export function withoutTexts(read: ReadConversation): Conversation {
  const { messageTexts: _, callArguments: __, resultTexts: ___, toolSchemas: ____, ...facts } = read
  return facts
}

/*
 * The tokens of each text are exact under the encoding; overheads are estimates. Those of messages are from OpenAI's cookbook
 * (https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken, read November 2026). Those of calls and schemas
 * are their JSON wrapping, since providers do not publish how they render them.
 */

/** Start, role and end marks of a message. */
export const TOKENS_PER_MESSAGE = 3
export const TOKENS_PER_NAME = 1
/** Type, id and punctuation around one tool call. */
export const TOKENS_PER_CALL = 8
/** The start of the answer, once per request. */
export const TOKENS_PER_REQUEST = 3

/** Tokens of one message, including overheads. */
export function countMessageTokens(
  texts: Omit<MessageTexts, 'reasoning'>,
  countTokens: (text: string) => number,
): number {
  let tokens = TOKENS_PER_MESSAGE + countTokens(texts.role)
  if (texts.name !== undefined) tokens += TOKENS_PER_NAME + countTokens(texts.name)
  for (const content of texts.contents) tokens += countTokens(content)
  for (const call of texts.calls) {
    tokens += TOKENS_PER_CALL + countTokens(call.name) + countTokens(call.arguments)
  }
  return tokens
}

/** Tokens of a request: its messages, its tool schemas and the start of the answer. */
export function countRequestTokens(
  messages: readonly Omit<MessageTexts, 'reasoning'>[],
  toolSchemas: string,
  countTokens: (text: string) => number,
): number {
  let tokens = TOKENS_PER_REQUEST + countTokens(toolSchemas)
  for (const texts of messages) tokens += countMessageTokens(texts, countTokens)
  return tokens
}
