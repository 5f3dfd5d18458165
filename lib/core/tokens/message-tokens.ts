/**
 * Tokens of a message in a chat-completions request. The tokens of each text are exact under the encoding; overheads are
 * estimates. Those of messages are from OpenAI's cookbook
 * (https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken, read November 2026). Those of calls and schemas
 * are their JSON wrapping, since providers do not publish how they render them.
 */
import type { MessageTexts } from '../conversation/conversation'

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
