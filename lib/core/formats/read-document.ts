import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { aiSdk } from './ai-sdk'
import { anthropicMessages } from './anthropic-messages'
import { bedrockConverse } from './bedrock-converse'
import { claudeCode } from './claude-code'
import { codex } from './codex'
import { copiedRequests } from './copied-requests'
import { describeJson } from './describe-json'
import type { Evidence, Format, FormatId } from './format'
import { gemini } from './gemini'
import { harBodies } from './har-bodies'
import { inspect } from './inspect'
import { langchain } from './langchain'
import { langfuse } from './langfuse'
import { leftAlone } from './left-alone'
import { openaiChat } from './openai-chat'
import { openaiResponses } from './openai-responses'
import { openhands } from './openhands'
import { opentelemetry } from './opentelemetry'
import { readHar } from './read-har'
import { openSource, type SourceDocument } from './source-document'
import { sweAgent } from './swe-agent'

/** Every format, in the order in which they are tried: what is found by its own marks before what is found by roles. */
export const FORMATS: readonly Format[] = [
  sweAgent,
  openhands,
  inspect,
  langfuse,
  opentelemetry,
  claudeCode,
  codex,
  gemini,
  aiSdk,
  langchain,
  bedrockConverse,
  anthropicMessages,
  openaiResponses,
  openaiChat,
]

export interface ReadDocument {
  readonly source: SourceDocument
  readonly format: Format
  readonly evidence: Evidence
  /** Every format that recognises it, in the order of the list. */
  readonly candidates: readonly FormatId[]
  readonly conversations: readonly ReadConversation[]
  readonly problems: readonly Problem[]
}

export interface ReadOptions {
  /** The format to read it as, whatever it looks like. */
  readonly format?: FormatId | undefined
  /** Told the share done, from 0 to 1. */
  readonly onProgress?: (done: number) => void
}

/**
 * Reads a text under the first format that recognises it, or the one asked for; of a HAR file, its request bodies.
 * Throws a `ReadError` when it is no JSON, no conversation, not the format asked for, or too broken to read.
 */
export function readDocument(
  text: string,
  { format: wanted, onProgress }: ReadOptions = {},
): ReadDocument {
  const source = openText(text, onProgress)
  const har = harBodies(source)
  if (har !== undefined) return { source, ...readHar(text, har, FORMATS, wanted) }
  const found = FORMATS.flatMap((format) => {
    const evidence = format.recognise(source)
    return evidence === null ? [] : [{ format, evidence }]
  })
  const chosen = wanted === undefined ? found[0] : found.find(({ format }) => format.id === wanted)
  if (chosen === undefined) throw notRecognised(source, wanted)
  const { conversations, problems } = chosen.format.read(source)
  return {
    source,
    ...chosen,
    candidates: found.map(({ format }) => format.id),
    conversations,
    problems: [...source.problems, ...problems, ...leftAlone(source, chosen, conversations, found)],
  }
}

/** Opens a text as a source; what is no JSON may be a request that was copied as code, and is named as such. */
function openText(text: string, onProgress: ReadOptions['onProgress']): SourceDocument {
  try {
    return openSource(text, onProgress)
  } catch (error) {
    const copied = error instanceof ReadError ? copiedRequests(text) : undefined
    if (copied === undefined) throw error
    const { kind } = copied
    const code = copied.text === undefined ? 'copied_request_without_json' : 'copied_request'
    throw new ReadError(code, { kind }, 0)
  }
}

function notRecognised(source: SourceDocument, wanted: FormatId | undefined): ReadError {
  const [first] = source.values
  const found =
    source.layout === 'json'
      ? describeJson(first?.value)
      : `JSON Lines, the first ${describeJson(first?.value)}`
  const format = FORMATS.find(({ id }) => id === wanted)
  if (format !== undefined) {
    const { label, expects: expected } = format
    return new ReadError('not_this_format', { found, label, expected }, 0)
  }
  return source.layout === 'json'
    ? new ReadError('no_conversation', { found }, 0)
    : new ReadError('no_conversation_lines', { lines: source.values.length }, 0)
}
