/** Reads request bodies and message lists that a trace contains as values or as JSON in strings. */
import { aiSdk } from './ai-sdk/ai-sdk'
import { anthropicMessages } from './anthropic/anthropic-messages'
import { bedrockConverse } from './bedrock/bedrock-converse'
import { gemini } from './gemini/gemini'
import { langchain } from './langchain/langchain'
import { openaiChat } from './openai/openai-chat'
import { openaiResponses } from './openai/openai-responses'
import { type Format, type FormatReading, readOrProblem } from './reading/format'
import type { SourceValue } from './reading/source-document'

/** Formats of requests, in the order of detection. */
export const REQUEST_FORMATS = [
  gemini,
  aiSdk,
  langchain,
  bedrockConverse,
  anthropicMessages,
  openaiResponses,
  openaiChat,
] as const satisfies readonly Format[]

/** Reads a nested value as the first format that recognises it; undefined when none does. */
export function readNestedMessages(nested: SourceValue): FormatReading | undefined {
  const document = { text: nested.text, layout: 'json' as const, values: [nested], problems: [] }
  const format = REQUEST_FORMATS.find(({ recognise }) => recognise(document) !== null)
  return format && readOrProblem(format, document)
}
