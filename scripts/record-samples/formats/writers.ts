import { anthropicBody, anthropicLines } from './anthropic-messages'
import type { FormatWriter } from './format-writer'
import { langchainSerialised, langchainStored, langgraphThread } from './langchain'
import { openaiChatBody } from './openai-chat'

/** In the order of the formats' names; one writer a file beside this one. */
export const WRITERS: readonly FormatWriter[] = [
  anthropicBody,
  anthropicLines,
  langchainSerialised,
  langchainStored,
  langgraphThread,
  openaiChatBody,
]
