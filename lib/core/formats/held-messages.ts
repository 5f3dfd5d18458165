/** Conversations that traces hold as values: in the words of any format, as they stand or as JSON written in a string. */
import { ReadError } from '../problem'
import { aiSdk } from './ai-sdk'
import { anthropicMessages } from './anthropic-messages'
import { bedrockConverse } from './bedrock-converse'
import type { Format, FormatReading } from './format'
import { gemini } from './gemini'
import { langchain } from './langchain'
import { openaiChat } from './openai-chat'
import { openaiResponses } from './openai-responses'
import type { SourceValue } from './source-document'

/** Formats of requests, in the order in which documents are tried. */
const REQUEST_FORMATS: readonly Format[] = [
  gemini,
  aiSdk,
  langchain,
  bedrockConverse,
  anthropicMessages,
  openaiResponses,
  openaiChat,
]

/** What a held value is read into by the first format that recognises it; undefined when none does. */
export function readHeldMessages(text: string, held: SourceValue): FormatReading | undefined {
  const document = { text, layout: 'json' as const, values: [held], problems: [] }
  const format = REQUEST_FORMATS.find(({ recognise }) => recognise(document) !== null)
  if (format === undefined) return undefined
  try {
    return format.read(document)
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    return { conversations: [], problems: [error.problem] }
  }
}
